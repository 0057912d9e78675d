// Runs before the first paint, so that the page never flashes in the colours of another theme.
(function () {
  /** @type {Partial<import("./types.js").Settings>} */
  let settings = {};
  try {
    const script = /** @type {HTMLScriptElement} */ (document.currentScript);
    const root = new URL("..", script.src).pathname.slice(0, -1); // as in site_root.js, which loads too late
    settings = JSON.parse(localStorage.getItem(`${root}settings`) ?? "{}") ?? {};
  } catch {
    // Without storage the page follows the system.
  }
  const root = document.documentElement;
  if (settings.theme && settings.theme !== "auto") root.dataset.theme = settings.theme;
  root.dataset.marks = settings.marks || "faint";
})();
