// Helpers that create DOM elements: h("a", {href: "/"}, "Home"). Strings become text nodes, never markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element. `on*` properties become event listeners, all others attributes;
 * true sets an empty attribute, false and null omit it. Null and false children are skipped.
 * @param {string} tag
 * @param {Object<string, any>} [properties]
 * @param {...(Node|string|number|null|false|Array)} children
 */
export function h(tag, properties = {}, ...children) {
  return initialize(document.createElement(tag), properties, children);
}

/** Creates an SVG element, with the same arguments as `h`. */
export function svg(tag, properties = {}, ...children) {
  return initialize(document.createElementNS(SVG_NAMESPACE, tag), properties, children);
}

function initialize(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  appendChildren(element, ...children);
  return element;
}

/** Appends children, which may be nested arrays, and returns the element. */
export function appendChildren(element, ...children) {
  element.append(...children.flat(9).filter((child) => child != null && child !== false));
  return element;
}

/** Replaces all children of an element and returns the element. */
export function setChildren(element, ...children) {
  element.replaceChildren();
  return appendChildren(element, ...children);
}

/** Creates an icon of icons.svg, hidden from screen readers because a label accompanies it. */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("use", { href: `/static/icons.svg#${name}` }));
}

/** Creates a button with a label and, unless `iconName` is empty, an icon. */
export function button(iconName, label, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties },
    iconName && icon(iconName), h("span", {}, label));
}

/**
 * Creates a select element.
 * @param {[any, string][]} choices value and label of each option
 */
export function select(choices, selectedValue, properties = {}) {
  return h("select", properties, choices.map(([value, label]) =>
    h("option", { value, selected: value === selectedValue }, label)));
}

/** Creates an error message area: `show(text)` displays a message, an empty text hides the area. */
export function errorMessage() {
  const element = h("p", { class: "error", role: "alert", hidden: true });
  return {
    element,
    show(text) {
      element.textContent = toSentence(text || "");
      element.hidden = !text;
    },
  };
}

/** Returns a text with a capital letter and a full stop; a leading identifier keeps its case. */
function toSentence(text) {
  const capitalized = /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /\w$/.test(capitalized) ? `${capitalized}.` : capitalized;
}

/** Sets a CSS property from script, since the content security policy forbids style attributes. */
export function setStyle(element, property, value) {
  element.style.setProperty(property, value);
  return element;
}
