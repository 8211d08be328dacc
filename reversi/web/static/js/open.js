// The dialog that takes a pasted game or position, or a file.

import { post } from "./api.js";
import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { Game } from "./game.js";
import { t } from "./i18n.js";
import { errorWords } from "./messages.js";

/** Asks for a text; `onGame(game)` gets the game that is in it. */
export function askText(onGame, text = "") {
  const area = el("textarea", {
    id: "open-text",
    rows: 9,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "open-about open-problem",
  });
  area.value = text;
  const problem = el("p", { class: "problem", id: "open-problem", role: "alert" });
  const list = el("div", { class: "game-list", hidden: true });
  const fail = (error) => {
    area.setAttribute("aria-invalid", "true");
    problem.textContent = errorWords(error);
  };
  const take = async (found) => {
    onGame(await Game.of(found.start, found.moves, found.headers, found.notes));
    dialog.close();
  };
  const offer = (question, things, wordsOf, onPick) => {
    const buttons = things.map((thing, index) =>
      el("button", { onclick: () => onPick(thing).catch(fail) }, wordsOf(thing, index)),
    );
    list.replaceChildren(el("p", { class: "muted" }, question), ...buttons);
    list.hidden = false;
    buttons[0].focus();
  };
  const understood = async ({ games }) => {
    if (games.length === 1) await take(games[0]);
    else offer(t("several_games"), games, gameWords, take);
  };
  const read = async () => {
    problem.textContent = "";
    area.removeAttribute("aria-invalid");
    list.hidden = true;
    try {
      await understood(await post("/api/import", { text: area.value }));
    } catch (error) {
      const { readings } = error.more ?? {};
      if (readings)
        offer(t("several_readings"), readings, ({ description }) => description, understood);
      else fail(error);
    }
  };
  const file = el("input", {
    type: "file",
    class: "unseen",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  file.addEventListener("change", async () => {
    area.value = await file.files[0].text();
    await read();
  });
  const about = el("p", { class: "muted", id: "open-about" }, t("open_about"));
  const label = el("label", { for: "open-text", class: "unseen" }, t("open_text"));
  const dialog = openDialog(
    t("open_title"),
    [about, label, area, problem, list],
    [
      file,
      el("button", { class: "left", onclick: () => file.click() }, t("choose_file")),
      el("button", { onclick: () => dialog.close() }, t("cancel")),
      el("button", { class: "primary", id: "open-done", onclick: read }, t("open")),
    ],
  );
  area.focus();
  if (text) read();
}

function gameWords({ headers, moves }, index) {
  const names = [headers.black, headers.white].map((name) => name || "?").join(" – ");
  const more = [headers.result, headers.date, t("moves_number", { moves: moves.length })];
  return `${index + 1}. ${names}: ${more.filter(Boolean).join(", ")}`;
}
