// The path under which the site is served: "" or, behind a proxy that serves it under a path, such as "/play".
// Addresses in the page's own code are without it; it is added where they are handed to the browser.

/**
 * Returns the root path of a site by the address of one of its scripts.
 * @param {string} scriptAddress
 */
export function rootOf(scriptAddress) {
  const { protocol, pathname } = new URL("..", scriptAddress);
  return protocol.startsWith("http") ? pathname.slice(0, -1) : ""; // tests have no server
}

export const ROOT = rootOf(import.meta.url);

/**
 * Returns an address of this site for the browser; other addresses stay as they are.
 * @param {string} address
 */
export function rooted(address) {
  return address.startsWith("/") ? ROOT + address : address;
}

/**
 * Returns a path without the root path, or null if it is outside of the site.
 * @param {string} path
 * @param {string} [root]
 */
export function sitePath(path, root = ROOT) {
  if (path === root) return "/";
  return path.startsWith(`${root}/`) ? path.slice(root.length) : null;
}

/**
 * Returns the full address of a page of this site, for other people.
 * @param {string} address
 */
export function fullAddress(address) {
  return location.origin + rooted(address);
}
