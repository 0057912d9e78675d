// The elements of a picture: parsing their markup, and measuring them.

/** @import { Picture } from "./types.js" */

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

/**
 * Returns the shapes of a block of a nested board in a picture, without what makes them clickable and readable.
 * @param {Picture} picture
 * @param {string} block
 */
export function blockShapes(picture, block) {
  const shapes = parseSvg(picture.shapes.map(([, markup]) => markup));
  const inside = shapes.filter((shape) => shape.getAttribute("data-cell")?.split(" ").includes(block));
  for (const shape of inside) for (const name of ["data-cell", "aria-label", "role"]) shape.removeAttribute(name);
  return inside;
}
