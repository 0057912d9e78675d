// Which page an address is, and going from one to the next without loading anything anew.

import { Refused } from "./api.js";
import { fill, sentence } from "./dom.js";

/** @typedef {{path: RegExp, open: (place: HTMLElement, found: string[], query: URLSearchParams) => any}} Route */

let routes = [];
let leave = null;
let turn = 0;

/** Opens the page of the address, and those that links lead to from now on. */
export function start(list) {
  routes = list;
  addEventListener("popstate", open);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plain || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !page(url.pathname)) return;
    if (url.hash && url.pathname === location.pathname && !url.hash.includes("secret")) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
  return open();
}

/** Goes to an address of this site. */
export function go(address) {
  history.pushState(null, "", address);
  scrollTo(0, 0);
  return open();
}

/** Writes another address for the page that is open. */
export function rename(address) {
  history.replaceState(history.state, "", address);
}

function page(path) {
  return routes.find((route) => route.path.test(path));
}

async function open() {
  const mine = ++turn;
  leave?.();
  leave = null;
  // Every page has a place of its own: one that comes too late writes into nothing.
  const place = document.createElement("div");
  document.getElementById("main").replaceChildren(place);
  const route = page(location.pathname) || routes.at(-1);
  const found = (location.pathname.match(route.path) || []).slice(1);
  let left = null;
  try {
    left = await route.open(place, found, new URLSearchParams(location.search));
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    const error = sentence();
    fill(place, error.element);
    error.say(refused.message);
  }
  if (mine === turn) leave = left || null;
  else left?.();
}
