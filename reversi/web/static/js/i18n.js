// Which language is spoken, and its words.

import { EN } from "./en.js";
import { ZH } from "./zh.js";

const LANGUAGES = { en: EN, "zh-CN": ZH };
let language = chosen();

/** The words of a key; {name} in them is replaced. */
export function t(key, values = {}) {
  const words = LANGUAGES[language][key] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** Says the other language from now on. */
export function switchLanguage() {
  language = language === "en" ? "zh-CN" : "en";
  try {
    localStorage.setItem("language", language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  translatePage();
}

/** Puts the words into all elements that name their key by data-t or data-t-label. */
export function translatePage() {
  document.documentElement.lang = language;
  document.title = t("title");
  for (const element of document.querySelectorAll("[data-t]")) {
    element.textContent = t(element.dataset.t);
  }
  for (const element of document.querySelectorAll("[data-t-label]")) {
    const words = t(element.dataset.tLabel);
    element.setAttribute("aria-label", words);
    if (element.tagName === "BUTTON") element.title = words;
  }
}

function chosen() {
  const kept = remembered();
  if (kept in LANGUAGES) return kept;
  for (const wish of navigator.languages) {
    if (wish.startsWith("zh")) return "zh-CN";
    if (wish.startsWith("en")) return "en";
  }
  return "en";
}

function remembered() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
}
