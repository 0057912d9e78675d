// Client-side routing: opens the page of an address, and follows links without loading a new document.

import { RequestError } from "./api.js";
import { errorMessage, setChildren } from "./dom.js";

/**
 * `open` fills the container; it gets the captured groups of `path` and the query, and may
 * return a function that closes the page.
 * @typedef {{path: RegExp,
 *   open: (container: HTMLElement, parameters: string[], query: URLSearchParams) => any}} Route
 */

/** @type {Route[]} */
let routes = [];
let closePage = null;
let navigationCount = 0;

/**
 * Opens the page of the current address and handles links from then on.
 * @param {Route[]} routeList the last one is opened for unknown addresses
 */
export function startRouter(routeList) {
  routes = routeList;
  addEventListener("popstate", openPage);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const plainClick = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !plainClick || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !findRoute(url.pathname)) return;
    if (url.hash && url.pathname === location.pathname && !url.hash.includes("secret")) return;
    event.preventDefault();
    navigate(url.pathname + url.search + url.hash);
  });
  return openPage();
}

/** Opens an address of this site and adds it to the history. */
export function navigate(address) {
  history.pushState(null, "", address);
  scrollTo(0, 0);
  return openPage();
}

/** Changes the address of the open page without opening another one. */
export function replaceAddress(address) {
  history.replaceState(history.state, "", address);
}

function findRoute(path) {
  return routes.find((route) => route.path.test(path));
}

async function openPage() {
  const navigation = ++navigationCount;
  closePage?.();
  closePage = null;
  // Each page gets a container of its own, so one that finishes loading too late changes nothing.
  const container = document.createElement("div");
  document.getElementById("main").replaceChildren(container);
  const route = findRoute(location.pathname) || routes.at(-1);
  const parameters = (location.pathname.match(route.path) || []).slice(1);
  let close = null;
  try {
    close = await route.open(container, parameters, new URLSearchParams(location.search));
  } catch (failure) {
    if (!(failure instanceof RequestError)) throw failure;
    const error = errorMessage();
    setChildren(container, error.element);
    error.show(failure.message);
  }
  if (navigation === navigationCount) closePage = close || null;
  else close?.();
}
