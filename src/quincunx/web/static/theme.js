// Runs before the first paint, so that a chosen theme never flashes in another's colours.
(function () {
  var chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("settings")) || {};
  } catch (error) {
    // Without storage the page follows the system.
  }
  var root = document.documentElement;
  if (chosen.theme && chosen.theme !== "auto") root.dataset.theme = chosen.theme;
  root.dataset.marks = chosen.marks || "faint";
})();
