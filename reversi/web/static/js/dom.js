// Making elements. Knows nothing of the game.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: `el("button", {class: "small", onclick: f}, "text", child)`. */
export function el(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** An SVG element, in the same way. */
export function svg(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

/** One of the icons that index.html draws. */
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

/** A small disc: "black", "white" or "none". */
export function discIcon(color) {
  return el("span", { class: `disc-icon ${color}`, "aria-hidden": "true" });
}

/** Words for screen readers alone. */
export function unseen(text) {
  return el("span", { class: "unseen" }, text);
}

export const byId = (id) => document.getElementById(id);

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
