// The elements of a picture: parsing their markup, and measuring them.

const parser = new DOMParser();

/**
 * Returns the centre and size of an element in its parent's units, regardless of running animations.
 * @param {SVGGraphicsElement} element
 */
export function boxOf(element) {
  const box = element.getBBox();
  const matrix = element.transform.baseVal.consolidate()?.matrix;
  return {
    x: box.x + box.width / 2 + (matrix?.e || 0),
    y: box.y + box.height / 2 + (matrix?.f || 0),
    width: box.width,
    height: box.height,
  };
}

/**
 * Parses the markup of SVG elements, one element per string, into elements of this document.
 * @param {string[]} markups
 */
export function parseSvg(markups) {
  if (!markups.length) return [];
  const source = `<svg xmlns="http://www.w3.org/2000/svg">${markups.join("")}</svg>`;
  const root = parser.parseFromString(source, "image/svg+xml").documentElement;
  return [...root.children].map((child) => {
    const element = /** @type {SVGGraphicsElement} */ (document.importNode(child, true));
    if (element.hasAttribute("aria-label")) element.setAttribute("role", "img"); // shapes without a role have no name
    return element;
  });
}
