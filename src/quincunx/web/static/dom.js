// Creates DOM elements: h("a", {href: "/"}, "Home"). Strings become text nodes, never markup.

import { rooted } from "./site_root.js";

/** @import { Child, OptionValue, Properties } from "./types.js" */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element. `on*` properties become event listeners, all others attributes;
 * true sets an empty attribute, false and null omit it. Null and false children are skipped. An `href` or `src` that
 * begins with a slash is an address of this site.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties<HTMLElementTagNameMap[K]>} [properties]
 * @param {...Child} children
 */
export function h(tag, properties = {}, ...children) {
  return initialize(document.createElement(tag), properties, children);
}

/**
 * Creates an SVG element, with the same arguments as `h`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Properties<SVGElementTagNameMap[K]>} [properties]
 * @param {...Child} children
 */
export function svg(tag, properties = {}, ...children) {
  return initialize(document.createElementNS(SVG_NAMESPACE, tag), properties, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {object} properties
 * @param {Child[]} children
 */
function initialize(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element) element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) {
      element.setAttribute(name, name === "href" || name === "src" ? rooted(value) : value);
    }
  }
  return appendChildren(element, ...children);
}

/**
 * Appends children, which may be nested arrays, and returns the element.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 */
export function appendChildren(element, ...children) {
  for (const child of children) {
    if (Array.isArray(child)) appendChildren(element, ...child);
    else if (child != null && child !== false) element.append(typeof child === "number" ? String(child) : child);
  }
  return element;
}

/**
 * Replaces all children of an element and returns the element.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 */
export function setChildren(element, ...children) {
  element.replaceChildren();
  return appendChildren(element, ...children);
}

/**
 * Creates an icon of icons.svg, hidden from screen readers because a label accompanies it.
 * @param {string} name
 */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("use", { href: `/static/icons.svg#${name}` }));
}

/**
 * Creates a button with a label and, unless `iconName` is empty, an icon.
 * @param {string} iconName
 * @param {string} label
 * @param {() => unknown} onclick
 * @param {Properties<HTMLButtonElement>} [properties]
 */
export function button(iconName, label, onclick, properties = {}) {
  return h("button", { type: "button", onclick: () => onclick(), ...properties },
    iconName && icon(iconName), h("span", {}, label));
}

/**
 * Creates a select element.
 * @param {[value: OptionValue, label: OptionValue][]} choices
 * @param {OptionValue} selectedValue
 * @param {Properties<HTMLSelectElement>} [properties]
 */
export function select(choices, selectedValue, properties = {}) {
  return h("select", properties, choices.map(([value, label]) =>
    h("option", { value, selected: value === selectedValue }, String(label))));
}

/** Creates an error message area: `show(text)` displays a message, an empty text hides the area. */
export function errorMessage() {
  const element = h("p", { class: "error", role: "alert", hidden: true });
  return {
    element,
    /** @param {string} text */
    show(text) {
      element.textContent = toSentence(text);
      element.hidden = !text;
    },
  };
}

/**
 * Returns a text with a capital letter and a full stop; a leading identifier keeps its case.
 * @param {string} text
 */
export function toSentence(text) {
  const capitalized = /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /\w$/.test(capitalized) ? `${capitalized}.` : capitalized;
}

/**
 * Sets a CSS property from script, since the content security policy forbids style attributes.
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {string} property
 * @param {string} value
 */
export function setStyle(element, property, value) {
  element.style.setProperty(property, value);
  return element;
}

/**
 * Returns an element of the document that always exists.
 * @param {string} id
 */
export function elementById(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the document has no element #${id}`);
  return element;
}
