// What all dialogs have: a title, a way out, a foot with buttons. Knows no game.

import { el, icon } from "./dom.js";
import { t } from "./i18n.js";

/** Opens a dialog over the page; returns {root, close}. `foot` are its buttons. */
export function openDialog(title, body, foot) {
  const close = () => root.close();
  const root = el(
    "dialog",
    { "aria-labelledby": "dialog-title", onclose: () => root.remove() },
    el(
      "div",
      { class: "dialog-head" },
      el("h2", { id: "dialog-title" }, title),
      el(
        "button",
        {
          class: "quiet square-button",
          "aria-label": t("close"),
          title: t("close"),
          onclick: close,
        },
        icon("close"),
      ),
    ),
    el("div", { class: "dialog-body" }, ...body),
    el("div", { class: "dialog-foot" }, ...foot),
  );
  root.addEventListener("pointerdown", (event) => event.target === root && close());
  document.body.append(root);
  root.showModal();
  return { root, close };
}

/** A row of which one is chosen: `options` are [value, words or nodes]. */
export function choice(name, options, value, label, onChange) {
  const inputs = options.map(([key, ...words]) => {
    const input = el("input", {
      type: "radio",
      name,
      value: key,
      checked: key === value,
      onchange: () => onChange(key),
    });
    return el("label", {}, input, el("span", {}, ...words));
  });
  return el("div", { class: "choice", role: "radiogroup", "aria-label": label }, ...inputs);
}
