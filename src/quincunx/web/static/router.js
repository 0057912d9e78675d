// Client-side routing: opens the page of an address, and follows links without loading a new document.

import { asRequestError } from "./api.js";
import { elementById, errorMessage, setChildren } from "./dom.js";
import { rooted, sitePath } from "./site_root.js";

/** @import { OpenPage } from "./types.js" */

/**
 * `open` gets the captured groups of `path` and the query.
 * @typedef {{path: RegExp, open: OpenPage}} Route
 */

/** @type {Route[]} */
let routes = [];
/** @type {OpenPage} */
let openMissingPage = async () => null;
/** @type {(() => void) | null} */
let closePage = null;
let navigationCount = 0;

/**
 * Opens the page of the current address and handles links from then on.
 * @param {Route[]} routeList
 * @param {OpenPage} openMissing opens a page for an address without a route
 */
export function startRouter(routeList, openMissing) {
  routes = routeList;
  openMissingPage = openMissing;
  addEventListener("popstate", openPage);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href]");
    const plainClick = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!(link instanceof HTMLAnchorElement) || !plainClick || link.target || link.hasAttribute("download")) return;
    const address = internalAddress(routes, new URL(link.href), location);
    if (!address) return;
    event.preventDefault();
    navigate(address);
  });
  return openPage();
}

/**
 * Returns the address of a link that a route opens, or null for links that the browser follows itself: to other
 * sites, to files, and to places in the open page. A hash with a secret is an invitation, not a place.
 * @param {Route[]} known
 * @param {URL} url
 * @param {{origin: string, pathname: string}} current
 */
export function internalAddress(known, url, current) {
  const path = sitePath(url.pathname);
  if (url.origin !== current.origin || path === null || !findRoute(known, path)) return null;
  if (url.hash && url.pathname === current.pathname && !url.hash.includes("secret")) return null;
  return path + url.search + url.hash;
}

/**
 * Returns the first route that matches a path and the captured groups, or null.
 * @param {Route[]} known
 * @param {string} path
 */
export function findRoute(known, path) {
  for (const route of known) {
    const match = path.match(route.path);
    if (match) return { route, parameters: match.slice(1) };
  }
  return null;
}

/**
 * Opens an address of this site and adds it to the history.
 * @param {string} address
 */
export function navigate(address) {
  history.pushState(null, "", rooted(address));
  scrollTo(0, 0);
  return openPage();
}

/**
 * Changes the address of the open page without opening another one.
 * @param {string} address
 */
export function replaceAddress(address) {
  history.replaceState(history.state, "", rooted(address));
}

async function openPage() {
  const navigation = ++navigationCount;
  closePage?.();
  closePage = null;
  // Each page gets a container of its own, so one that finishes loading too late changes nothing.
  const container = document.createElement("div");
  elementById("main").replaceChildren(container);
  const path = sitePath(location.pathname);
  const found = path === null ? null : findRoute(routes, path);
  const open = found?.route.open ?? openMissingPage;
  let close = null;
  try {
    close = await open(container, found?.parameters ?? [], new URLSearchParams(location.search));
  } catch (failure) {
    const error = errorMessage();
    setChildren(container, error.element);
    error.show(asRequestError(failure).message);
  }
  if (navigation === navigationCount) closePage = close;
  else close?.();
}
