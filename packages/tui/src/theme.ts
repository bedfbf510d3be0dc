import type { Environment } from "@caliban/common";
import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

/** Styles text that is already safe for a terminal. */
export type Style = (text: string) => string;

/** The styles of the screen. Without color only bold and dim are left. */
export interface Theme {
  readonly bold: Style;
  readonly dim: Style;
  /** What the user can act on. */
  readonly accent: Style;
  readonly good: Style;
  readonly bad: Style;
  /** Lines of a diff. */
  readonly added: Style;
  readonly removed: Style;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
}

const PLAIN: Style = (text) => text;

/** Whether to use color: any non-empty `NO_COLOR` turns it off. */
export function wantsColor({ NO_COLOR }: Environment): boolean {
  return NO_COLOR === undefined || NO_COLOR === "";
}

/** Uses the terminal's own palette, which users set to colors they can read. */
export function createTheme({ color }: { readonly color: boolean }): Theme {
  const colored = (code: number): Style => (color ? sgr(code, 39) : PLAIN);
  const bold = sgr(1, 22);
  const dim = sgr(2, 22);
  const accent = colored(35);
  const select: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: (text) => bold(accent(text)),
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  return {
    bold,
    dim,
    accent,
    good: colored(32),
    bad: colored(31),
    added: colored(32),
    removed: colored(31),
    select,
    editor: { borderColor: dim, selectList: select },
    markdown: markdownTheme({ bold, dim, accent }),
  };
}

function markdownTheme({
  bold,
  dim,
  accent,
}: Pick<Theme, "bold" | "dim" | "accent">): MarkdownTheme {
  return {
    heading: accent,
    link: PLAIN,
    linkUrl: dim,
    code: accent,
    codeBlock: PLAIN,
    codeBlockBorder: dim,
    quote: dim,
    quoteBorder: dim,
    hr: dim,
    listBullet: accent,
    bold,
    italic: sgr(3, 23),
    strikethrough: sgr(9, 29),
    underline: sgr(4, 24),
  };
}

function sgr(on: number, off: number): Style {
  return (text) => (text === "" ? "" : `\u001B[${on}m${text}\u001B[${off}m`);
}
