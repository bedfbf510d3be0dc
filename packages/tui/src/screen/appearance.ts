import type { Environment } from "@caliban/common";
import type { TUI } from "@earendil-works/pi-tui";
import { createHighlighter, type Highlighter, loadLanguages } from "../code/highlighter.ts";
import { createTheme, type Shade, type Theme } from "../theme.ts";

/** The colors of the screen, which may change after its first frame. */
export interface Appearance {
  readonly theme: Theme;
  readonly highlighter: Highlighter;
  /** Uses colors for a background; `auto` asks the terminal for it. */
  readonly useShade: (wanted: "auto" | Shade, tui: TUI) => Promise<void>;
}

interface AppearanceInput {
  readonly color: boolean;
  readonly env: Environment;
  readonly onChange: () => void;
}

const QUERY_MS = 200;

export function createAppearance({ color, env, onChange }: AppearanceInput): Appearance {
  const told = shadeIn(env);
  let shade = told ?? "dark";
  const theme = createTheme({ color, shade: () => shade });
  return {
    theme,
    highlighter: createHighlighter({ theme, load: loadLanguages, onLoad: onChange }),
    useShade: async (wanted, tui) => {
      if (!color || (wanted === "auto" && told !== undefined)) return;
      const next = wanted === "auto" ? await askTerminal(tui) : wanted;
      if (next === undefined || next === shade) return;
      shade = next;
      onChange();
    },
  };
}

/** Some terminals tell their background in a variable, such as `15;0`: the last number is its color. */
function shadeIn({ COLORFGBG }: Environment): Shade | undefined {
  if (COLORFGBG === undefined) return undefined;
  const background = COLORFGBG.split(";").at(-1);
  return background === "7" || background === "15" ? "light" : "dark";
}

async function askTerminal(tui: TUI): Promise<Shade | undefined> {
  const background = await tui.queryTerminalBackgroundColor({ timeoutMs: QUERY_MS });
  if (background === undefined) return undefined;
  const { r, g, b } = background;
  // By how bright the three colors look.
  return 0.299 * r + 0.587 * g + 0.114 * b > 128 ? "light" : "dark";
}
