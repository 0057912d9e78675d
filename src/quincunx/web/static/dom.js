// Elements from calls: h("a", {href: "/"}, "Home"). Text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. `on*` properties are listeners, `class` and `data-*`, `aria-*` attributes,
 * true and false make an attribute present or absent; null and false children are left out.
 * @param {string} tag
 * @param {Object<string, any>} [properties]
 * @param {...(Node|string|number|null|false|Array)} children
 */
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** An SVG element, made like an HTML one. */
export function s(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  put(element, ...children);
  return element;
}

/** Adds children to an element. */
export function put(element, ...children) {
  element.append(...children.flat(9).filter((child) => child != null && child !== false));
  return element;
}

/** Gives an element these children and no others. */
export function fill(element, ...children) {
  element.replaceChildren();
  return put(element, ...children);
}

/** A picture from the sheet of icons; it says nothing, the words beside it do. */
export function icon(name) {
  return s("svg", { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" },
    s("use", { href: `/static/icons.svg#${name}` }));
}

/** A button with an icon and words; `key` is shown as its shortcut. */
export function button(name, words, onclick, properties = {}) {
  return h("button", { type: "button", onclick, ...properties },
    name && icon(name), h("span", {}, words));
}

/** A select whose choices are [value, words]. */
export function select(choices, value, properties = {}) {
  const made = h("select", properties, choices.map(([one, words]) =>
    h("option", { value: one, selected: one === value }, words)));
  return made;
}

/** The place for one calm sentence when something went wrong; empty it takes no room. */
export function sentence() {
  const place = h("p", { class: "error", role: "alert", hidden: true });
  return {
    element: place,
    say(text) {
      place.textContent = whole(text || "");
      place.hidden = !text;
    },
  };
}

/** A text as a whole sentence; names, as of an option, stay as they are written. */
function whole(text) {
  const head = /^[a-z]+[ ,]/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /\w$/.test(head) ? `${head}.` : head;
}

/** One number that says how something is set out, without a style attribute. */
export function style(element, property, value) {
  element.style.setProperty(property, value);
  return element;
}
