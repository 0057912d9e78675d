// Runs before the first paint, so that the page never flashes in the colours of another theme.
(function () {
  /** @type {Partial<import("./types.js").Settings>} */
  let settings = {};
  try {
    settings = JSON.parse(localStorage.getItem("settings") ?? "{}") ?? {};
  } catch {
    // Without storage the page follows the system.
  }
  const root = document.documentElement;
  if (settings.theme && settings.theme !== "auto") root.dataset.theme = settings.theme;
  root.dataset.marks = settings.marks || "faint";
})();
