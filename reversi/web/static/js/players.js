// The dialog that says who plays: person or engine for each colour, and how the engine plays.

import { choice, openDialog } from "./dialogs.js";
import { discIcon, el, icon } from "./dom.js";
import { t } from "./i18n.js";
import { usualEngine, within } from "./sides.js";

/** Asks for both sides; `onDone(sides)` gets them, `fresh` says that a new game begins. */
export function askSides(sides, server, fresh, onDone) {
  const full = {
    black: { ...usualEngine(server), ...sides.black },
    white: { ...usualEngine(server), ...sides.white },
  };
  const wished = within(full, server);
  const done = () => {
    if (!dialog.root.querySelector("form").reportValidity()) return;
    dialog.close();
    onDone({ black: cleaned(wished.black), white: cleaned(wished.white) });
  };
  const forms = ["black", "white"].map((color) => sideForm(color, wished[color], server));
  const form = el(
    "form",
    { class: "two-sides", onsubmit: (event) => (event.preventDefault(), done()) },
    ...forms,
  );
  form.append(el("button", { type: "submit", hidden: true }));
  const dialog = openDialog(
    t(fresh ? "new_game" : "players"),
    [form],
    [
      el("button", { onclick: () => dialog.close() }, t("cancel")),
      el(
        "button",
        { class: "primary", id: "sides-done", autofocus: true, onclick: done },
        t(fresh ? "start" : "done"),
      ),
    ],
  );
}

function cleaned(side) {
  return side.who === "person" ? { who: "person" } : side;
}

function sideForm(color, side, server) {
  const fields = el("div", { class: "engine-fields" });
  const show = () => {
    fields.hidden = side.who === "person";
    fields.replaceChildren(...engineFields(color, side, server, show));
  };
  const whoOptions = [
    ["person", icon("person"), t("person")],
    ["engine", icon("engine"), t("engine")],
  ];
  const who = choice(`${color}-who`, whoOptions, side.who, t(color), (value) => {
    side.who = value;
    show();
  });
  show();
  return el(
    "fieldset",
    { class: "side-form", "data-side": color },
    el("legend", {}, discIcon(color), t(color)),
    who,
    fields,
  );
}

function engineFields(color, side, server, again) {
  const kinds = [
    ["time_ms", t("time")],
    ["level", t("level")],
  ];
  const kind = choice(`${color}-kind`, kinds, side.kind, t("strength"), (value) => {
    side.kind = value;
    side.amount = value === "level" ? 12 : server.time_ms_usual;
    again();
    document.querySelector(`input[name="${color}-kind"]:checked`).focus();
  });
  return [
    kind,
    side.kind === "level" ? levelField(side, server) : timeField(side, server),
    ...otherFields(side, server),
  ];
}

function timeField(side, server) {
  const most = server.time_ms_max / 1000;
  const input = el("input", {
    type: "number",
    min: 0.05,
    max: most,
    step: "any",
    required: true,
    value: side.amount / 1000,
  });
  input.addEventListener("input", () => (side.amount = Math.round(1000 * input.valueAsNumber)));
  return el("label", { class: "field" }, el("span", { class: "name" }, t("seconds_a_move")), input);
}

function levelField(side, server) {
  const output = el("output", {}, String(side.amount));
  const note = el("span", { class: "side-note" });
  const input = el("input", {
    type: "range",
    min: 0,
    max: server.levels.length - 1,
    value: side.amount,
  });
  const show = () => {
    side.amount = input.valueAsNumber;
    output.textContent = String(side.amount);
    const { depth, exact_empties: empties, chance } = server.levels[side.amount];
    note.textContent = t(chance ? "level_chance" : "level_words", { depth, empties });
  };
  input.addEventListener("input", show);
  show();
  return el(
    "label",
    { class: "field" },
    el("span", { class: "name" }, t("level"), output),
    input,
    note,
  );
}

function otherFields(side, server) {
  const evaluators = ["pattern", "classic"].map((name) =>
    el("option", { value: name, selected: side.evaluator === name }, t(`evaluator_${name}`)),
  );
  const evaluator = el(
    "select",
    { onchange: (event) => (side.evaluator = event.target.value) },
    ...evaluators,
  );
  const threads = el("input", {
    type: "number",
    min: 1,
    max: server.threads_max,
    required: true,
    value: side.threads,
  });
  threads.addEventListener("input", () => (side.threads = threads.valueAsNumber));
  return [
    el("label", { class: "field" }, el("span", { class: "name" }, t("evaluator")), evaluator),
    el("label", { class: "field" }, el("span", { class: "name" }, t("threads")), threads),
  ];
}
