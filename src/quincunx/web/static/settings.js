// Theme, marks, motion and name: how one likes it, on this browser.

import { button, fill, h, icon, put } from "./dom.js";
import { recall, remember } from "./store.js";

const CHOICES = {
  theme: [["auto", "Automatic"], ["light", "Light"], ["dark", "Dark"], ["contrast", "High contrast"]],
  marks: [["strong", "Strong"], ["faint", "Faint"], ["none", "None"]],
  motion: [["auto", "As the system"], ["full", "Full"], ["none", "None"]],
};
const USUAL = { theme: "auto", marks: "faint", motion: "auto", name: "" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

let chosen = { ...USUAL, ...recall("settings", {}) };

/** The name that others see; may be empty. */
export function ownName() {
  return chosen.name;
}

/** True where nothing should move by itself. */
export function motionless() {
  return chosen.motion === "auto" ? still.matches : chosen.motion === "none";
}

/** The theme that is really shown. */
export function theme() {
  if (chosen.theme !== "auto") return chosen.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function choose(name, value) {
  chosen = { ...chosen, [name]: value };
  remember("settings", chosen);
  apply();
}

/** Puts the settings into effect. */
export function apply() {
  const root = document.documentElement;
  if (chosen.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = chosen.theme;
  root.dataset.marks = chosen.marks;
  root.dataset.motion = motionless() ? "none" : "full";
}

still.addEventListener("change", apply);

/** The button that opens the settings, and the sheet that it opens. */
export function settings() {
  const sheet = h("div", { class: "sheet", id: "settings", hidden: true, role: "group", "aria-label": "Settings" });
  const opener = h("button", {
    type: "button", class: "plain", "aria-expanded": "false", "aria-controls": "settings",
    onclick: () => toggle(sheet.hidden),
  }, icon("settings"), h("span", {}, "Settings"));

  function toggle(open) {
    sheet.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) draw();
  }

  function draw() {
    fill(sheet,
      row("Theme", "theme"), row("Marks on pieces", "marks"), row("Motion", "motion"),
      h("label", { class: "field" }, h("span", {}, "Your name"), h("input", {
        type: "text", maxlength: 32, value: chosen.name, autocomplete: "nickname",
        placeholder: "if you like", onchange: (event) => choose("name", event.target.value.trim()),
      })),
      button("close", "Close", () => { toggle(false); opener.focus(); }, { class: "plain" }));
  }

  document.addEventListener("pointerdown", (event) => {
    if (!sheet.hidden && !sheet.contains(event.target) && !opener.contains(event.target)) toggle(false);
  });
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    toggle(false);
    opener.focus();
  });
  return put(h("div", { class: "settings" }), opener, sheet);
}

function row(words, name) {
  return h("fieldset", { class: "choice" }, h("legend", {}, words),
    h("div", { class: "segments" }, CHOICES[name].map(([value, said]) =>
      h("label", {}, h("input", {
        type: "radio", name, value, checked: chosen[name] === value,
        onchange: () => choose(name, value),
      }), h("span", {}, said)))));
}
