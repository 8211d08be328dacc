// Light, dark, or as the system has it.

import { byId } from "./dom.js";
import { t } from "./i18n.js";

const THEMES = ["auto", "light", "dark"];
let theme = remembered();

/** Shows the theme that is chosen, and its button. */
export function showTheme() {
  document.documentElement.dataset.theme = theme;
  byId("theme-icon").setAttribute("href", `#i-${theme}`);
  const words = `${t("theme")}: ${t(`theme_${theme}`)}`;
  byId("theme").setAttribute("aria-label", words);
  byId("theme").title = words;
}

export function switchTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  showTheme();
}

function remembered() {
  try {
    const kept = localStorage.getItem("theme");
    return THEMES.includes(kept) ? kept : "auto";
  } catch {
    return "auto";
  }
}
