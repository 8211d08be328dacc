// The dialog that gives the game away: a link, or a text in one of the formats.

import { post } from "./api.js";
import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { linkTo } from "./link.js";
import { errorWords } from "./messages.js";

const FORMATS = ["link", "transcript", "obf", "ggf", "sgf", "json"];

/** Shows the game of a match in the formats that the server writes. */
export function askFormat(match) {
  const area = el("textarea", {
    id: "share-text",
    rows: 7,
    readonly: true,
    spellcheck: "false",
    "aria-label": t("share_text"),
  });
  const copied = el("span", { class: "left muted", role: "status" });
  const problem = el("p", { class: "problem", role: "alert" });
  const download = el(
    "button",
    { onclick: () => save(area.value, area.dataset.name) },
    t("download"),
  );
  const buttons = FORMATS.map((format) => {
    const words = ["link", "transcript"].includes(format) ? t(format) : format.toUpperCase();
    return el(
      "button",
      { class: "small", "data-format": format, onclick: () => show(format) },
      words,
    );
  });
  const show = async (format) => {
    problem.textContent = copied.textContent = "";
    for (const button of buttons)
      button.setAttribute("aria-pressed", String(button.dataset.format === format));
    download.disabled = format === "link";
    try {
      const found = await written(match, format);
      area.value = found.text;
      area.dataset.name = found.file_name;
    } catch (error) {
      area.value = "";
      problem.textContent = errorWords(error);
    }
  };
  const tabs = el(
    "div",
    { class: "format-tabs", role: "group", "aria-label": t("format") },
    ...buttons,
  );
  const words = t(match.game.isBranched() ? "share_branch" : "share_about");
  const about = el("p", { class: "muted" }, words);
  openDialog(
    t("share_title"),
    [tabs, area, problem, about],
    [
      copied,
      download,
      el("button", { class: "primary", id: "copy", onclick: () => copy(area, copied) }, t("copy")),
    ],
  );
  show("link");
}

async function written(match, format) {
  if (format === "link") return { text: linkTo(match), file_name: "" };
  const { game } = match;
  const node = format === "obf" ? game.cursor : game.end();
  return post("/api/export", { ...game.body(node), headers: game.headers, format });
}

async function copy(area, copied) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    document.execCommand("copy"); // pages that are not from this machine have no clipboard
  }
  copied.textContent = t("copied");
}

function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
