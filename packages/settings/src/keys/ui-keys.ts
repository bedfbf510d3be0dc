import type { RowOf } from "./setting-row.ts";

/** Every setting of `[ui]` by its full key, with the type of its value. */
export interface UiValues {
  readonly "ui.theme": "auto" | "light" | "dark";
  readonly "ui.notify": "auto" | "bell" | "osc9" | "off";
}

/** One row per setting of `[ui]`. The screen is the user's, so a repository decides nothing about it. */
export const UI_KEYS: { readonly [Key in keyof UiValues]: RowOf<UiValues[Key]> } = {
  "ui.theme": {
    kind: "choice",
    choices: {
      auto: "ask the terminal for its background",
      light: "for a light background",
      dark: "for a dark background",
    },
    default: "auto",
    project: "none",
    doc: "The colors of code and diffs. They do not rely on red and green alone. `NO_COLOR` turns all colors off.",
  },
  "ui.notify": {
    kind: "choice",
    choices: {
      auto: "a desktop notification in terminals that are known to have them, otherwise the bell",
      bell: "ring the bell of the terminal",
      osc9: "send a desktop notification with the sequence OSC 9",
      off: "stay silent",
    },
    default: "auto",
    project: "none",
    doc: "How the screen calls you when a long turn ends, or when a question waits for you.",
  },
};
