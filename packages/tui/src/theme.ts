import type { Environment } from "@caliban/common";
import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";

/** Styles text that is already safe for a terminal. */
export type Style = (text: string) => string;

/** The background that colors have to be readable on. */
export type Shade = "dark" | "light";

/** The kinds of words in code that have a color. */
export type CodeRole = "keyword" | "string" | "number" | "name" | "type" | "comment";

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
  readonly code: Readonly<Record<CodeRole, Style>>;
  readonly hasColor: boolean;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
  readonly select: SelectListTheme;
}

interface ThemeInput {
  readonly color: boolean;
  /** Called with every frame, because the terminal may tell its background late. Dark when left out. */
  readonly shade?: () => Shade;
}

const PLAIN: Style = (text) => text;

/** Whether to use color: any non-empty `NO_COLOR` turns it off. */
export function wantsColor({ NO_COLOR }: Environment): boolean {
  return NO_COLOR === undefined || NO_COLOR === "";
}

/**
 * Colors of the 256-color palette for dark and light backgrounds. Blue and orange are told apart with every kind of
 * color blindness; red and green are not. Even so, each of them is next to a sign that says the same.
 */
export const PALETTE = {
  good: { dark: 44, light: 24 },
  bad: { dark: 208, light: 160 },
  added: { dark: 75, light: 25 },
  removed: { dark: 215, light: 130 },
  keyword: { dark: 141, light: 91 },
  string: { dark: 180, light: 94 },
  number: { dark: 80, light: 24 },
  name: { dark: 111, light: 25 },
  type: { dark: 80, light: 24 },
} as const;

/** Uses the terminal's own palette, which users set to colors they can read, except where two colors are told apart. */
export function createTheme({ color, shade = () => "dark" }: ThemeInput): Theme {
  const colored = (code: number): Style => (color ? sgr(String(code), 39) : PLAIN);
  const shaded = (name: keyof typeof PALETTE): Style =>
    color ? (text) => sgr(`38;5;${PALETTE[name][shade()]}`, 39)(text) : PLAIN;
  const bold = sgr("1", 22);
  const dim = sgr("2", 22);
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
    good: shaded("good"),
    bad: shaded("bad"),
    added: shaded("added"),
    removed: shaded("removed"),
    code: {
      keyword: shaded("keyword"),
      string: shaded("string"),
      number: shaded("number"),
      name: shaded("name"),
      type: shaded("type"),
      comment: dim,
    },
    hasColor: color,
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
    italic: sgr("3", 23),
    strikethrough: sgr("9", 29),
    underline: sgr("4", 24),
  };
}

function sgr(on: string, off: number): Style {
  return (text) => (text === "" ? "" : `\u001B[${on}m${text}\u001B[${off}m`);
}
