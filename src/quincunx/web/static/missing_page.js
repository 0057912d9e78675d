// The page of an address at which nothing is.

import { h, setChildren } from "./dom.js";

/**
 * Shows that no page has this address.
 * @param {HTMLElement} container
 */
export async function openMissingPage(container) {
  document.title = "Not found – Quincunx";
  container.className = "message-page";
  setChildren(container, h("h1", {}, "Page not found"),
    h("p", {}, "Nothing is at ", h("code", {}, location.pathname), "."),
    h("p", {}, h("a", { href: "/" }, "Go to the front page")));
  return null;
}
