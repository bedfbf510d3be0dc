import type { Environment } from "@caliban/common";
import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

/** Puts a look on text that is safe already. */
export type Style = (text: string) => string;

/** The few looks that the screen has. Without colours only weight and dimness are left. */
export interface Theme {
  readonly bold: Style;
  readonly dim: Style;
  /** What the person can act on. */
  readonly accent: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
}

const AS_IT_IS: Style = (text) => text;

/** Whether colours are wanted: `NO_COLOR` with anything in it says no. */
export function wantsColor({ NO_COLOR }: Environment): boolean {
  return NO_COLOR === undefined || NO_COLOR === "";
}

/** Colours of the terminal's own palette, which people set to what they can read. */
export function createTheme({ color }: { readonly color: boolean }): Theme {
  const colored = (code: number): Style => (color ? sgr(code, 39) : AS_IT_IS);
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
    link: AS_IT_IS,
    linkUrl: dim,
    code: accent,
    codeBlock: AS_IT_IS,
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
