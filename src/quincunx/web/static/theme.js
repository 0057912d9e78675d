// Runs before the first paint, so that the page never flashes in the colours of another theme.
(function () {
  var settings = {};
  try {
    settings = JSON.parse(localStorage.getItem("settings")) || {};
  } catch (error) {
    // Without storage the page follows the system.
  }
  var root = document.documentElement;
  if (settings.theme && settings.theme !== "auto") root.dataset.theme = settings.theme;
  root.dataset.marks = settings.marks || "faint";
})();
