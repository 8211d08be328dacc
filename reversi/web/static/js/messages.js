// What the page says beside the game: notices, words for screen readers, errors. Knows no game.

import { byId, el } from "./dom.js";
import { t } from "./i18n.js";

/** Says something for a few seconds, to the eye and to screen readers. */
export function toast(words) {
  const box = byId("toast");
  box.textContent = words;
  box.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (box.hidden = true), 2600);
  announce(words);
}

/** Says something to screen readers. */
export function announce(words) {
  const box = byId("announcer");
  box.append(el("p", {}, words));
  while (box.children.length > 4) box.firstChild.remove();
}

/** An error in the reader's words: the server's own, or that there is no server. */
export function errorWords(error) {
  return error.kind === "unreachable" ? t("unreachable") : error.message;
}
