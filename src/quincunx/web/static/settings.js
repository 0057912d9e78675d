// Settings of this browser: theme, marks on pieces, animation and the player's name.

import { appendChildren, button, h, icon, setChildren } from "./dom.js";
import { loadValue, saveValue } from "./storage.js";

/** @import { Settings } from "./types.js" */

/** @type {{[K in "theme" | "marks" | "motion"]: [Settings[K], string][]}} */
const CHOICES = {
  theme: [["auto", "Automatic"], ["light", "Light"], ["dark", "Dark"], ["contrast", "High contrast"]],
  marks: [["strong", "Strong"], ["faint", "Faint"], ["none", "None"]],
  motion: [["auto", "Automatic"], ["full", "On"], ["none", "Off"]],
};
/** @type {Settings} */
const DEFAULTS = { theme: "auto", marks: "faint", motion: "auto", name: "" };
const MAX_NAME_CHARS = 32;
const reducedMotionQuery = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Settings} */
let settings = { ...DEFAULTS, ...loadValue("settings", {}) };

/** Returns the name that other players see; it may be empty. */
export function playerName() {
  return settings.name;
}

/** Returns true if nothing should be animated. */
export function isMotionReduced() {
  return settings.motion === "auto" ? reducedMotionQuery.matches : settings.motion === "none";
}

/** Returns the theme in use, with "auto" resolved. */
export function currentTheme() {
  if (settings.theme !== "auto") return settings.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/**
 * @template {keyof Settings} K
 * @param {K} name
 * @param {Settings[K]} value
 */
function changeSetting(name, value) {
  settings = { ...settings, [name]: value };
  saveValue("settings", settings);
  applySettings();
}

/** Sets the attributes of the document that the style sheets depend on. */
export function applySettings() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.marks = settings.marks;
  root.dataset.motion = isMotionReduced() ? "none" : "full";
}

reducedMotionQuery.addEventListener("change", applySettings);

/** Creates the settings button and the popover that it opens. */
export function settingsMenu() {
  const popover = h("div", { class: "popover", id: "settings", hidden: true, role: "group", "aria-label": "Settings" });
  const opener = h("button", {
    type: "button", class: "plain", "aria-expanded": "false", "aria-controls": "settings",
    onclick: () => toggle(popover.hidden),
  }, icon("settings"), h("span", {}, "Settings"));

  /** @param {boolean} open */
  function toggle(open) {
    popover.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) draw();
  }

  function draw() {
    setChildren(popover,
      choiceField("Theme", "theme"), choiceField("Marks on pieces", "marks"), choiceField("Animation", "motion"),
      h("label", { class: "field" }, h("span", {}, "Your name"), h("input", {
        type: "text", maxlength: MAX_NAME_CHARS, value: settings.name, autocomplete: "nickname",
        placeholder: "optional", onchange: (event) => changeSetting("name", event.currentTarget.value.trim()),
      })),
      button("close", "Close", () => { toggle(false); opener.focus(); }, { class: "plain" }));
  }

  document.addEventListener("pointerdown", (event) => {
    const inside = event.target instanceof Node && (popover.contains(event.target) || opener.contains(event.target));
    if (!popover.hidden && !inside) toggle(false);
  });
  popover.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    toggle(false);
    opener.focus();
  });
  return appendChildren(h("div", { class: "settings-menu" }), opener, popover);
}

/**
 * @param {string} title
 * @param {keyof typeof CHOICES} name
 */
function choiceField(title, name) {
  return h("fieldset", { class: "choice" }, h("legend", {}, title),
    h("div", { class: "segments" }, CHOICES[name].map(([value, label]) =>
      h("label", {}, h("input", {
        type: "radio", name, value, checked: settings[name] === value,
        onchange: () => changeSetting(name, value),
      }), h("span", {}, label)))));
}
