// Errors beside the fields of a form: every invalid field says what it must be, and its section is opened.

import { h, toSentence } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/**
 * Returns what a number must be, such as "0 or a whole number from 2 to 33".
 * @param {{low?: number, high?: number, also?: number[], whole?: boolean}} range
 */
export function numberRequirement({ low, high, also = [], whole = true }) {
  const kind = whole ? "a whole number" : "a number";
  return `${also.map((value) => `${value} or `).join("")}${kind} from ${low} to ${high}`;
}

/**
 * Returns true if a number is in a range or one of the values allowed in addition.
 * @param {number} value
 * @param {{low?: number, high?: number, also?: number[]}} range
 */
export function isInRange(value, { low = -Infinity, high = Infinity, also = [] }) {
  return (value >= low && value <= high) || also.includes(value);
}

/**
 * Returns an error of the server about a field, such as "rows='0': must be …", as a sentence about its label.
 * @param {string} label
 * @param {string} name
 * @param {string} text
 */
export function describeError(label, name, text) {
  const reason = text.startsWith(`${name}=`) ? text.slice(text.indexOf(": ") + 2) : text;
  return toSentence(/^must /.test(reason) ? `${label} ${reason}` : reason);
}

/**
 * Shows an error beside each invalid field and moves the focus to the first; returns true if all fields are valid.
 * A field says in `data-requirement` what it must be. Fields that are hidden or disabled do not count.
 * @param {HTMLFormElement} form
 */
export function checkFields(form) {
  const invalid = [...form.elements].filter((field) => isField(field)).filter((field) => !field.checkValidity() && !field.closest("[hidden]"));
  for (const field of invalid) showError(field, `${fieldLabel(field)} must be ${field.dataset.requirement ?? "valid"}.`);
  if (invalid.length) reveal(invalid[0]);
  return !invalid.length;
}

/**
 * Shows an error of the server beside the field of that name, and moves the focus there; returns false if there is no such field.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} text
 */
export function showFieldError(form, name, text) {
  const field = name && form.elements.namedItem(name);
  if (!(field instanceof Element) || !isField(field)) return false;
  showError(field, describeError(fieldLabel(field), name, text));
  reveal(field);
  return true;
}

/**
 * @param {Field} field
 * @param {string} text
 */
function showError(field, text) {
  clearError(field);
  field.setAttribute("aria-invalid", "true");
  field.closest("label")?.append(h("span", { class: "field-error" }, text));
  field.addEventListener("input", () => clearError(field), { once: true });
}

/** @param {Field} field */
function clearError(field) {
  field.removeAttribute("aria-invalid");
  field.closest("label")?.querySelector(".field-error")?.remove();
}

/**
 * Opens the section of a field and moves the focus to it.
 * @param {Field} field
 */
function reveal(field) {
  const section = field.closest("details");
  if (section) section.open = true;
  field.focus();
}

/** @param {Field} field */
function fieldLabel(field) {
  return field.closest("label")?.querySelector("span")?.textContent ?? "This field";
}

/**
 * @param {Element} element
 * @returns {element is Field}
 */
function isField(element) {
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
}
