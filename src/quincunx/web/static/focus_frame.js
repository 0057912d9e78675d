// Hides the frame around the focused element from those who use a pointer.
//
// After a click, browsers show the frame again as soon as any key is pressed, such as a shortcut. Here it stays hidden
// until Tab moves the focus.

/** Starts to follow whether the focus is moved by a pointer or by Tab. */
export function trackFocusFrame() {
  const { dataset } = document.documentElement;
  addEventListener("pointerdown", () => { dataset.pointer = ""; }, true);
  addEventListener("keydown", ({ key }) => { if (key === "Tab") delete dataset.pointer; }, true);
}
