import type { Theme } from "../theme.ts";
import { styleCode } from "./style-code.ts";

/** Colors code blocks. */
export interface Highlighter {
  /** The lines of a block; plain until the languages are loaded, and for a language that is not known. */
  readonly lines: (code: string, language: string | undefined) => string[];
}

/** Marks the words of a code in HTML; `undefined` for an unknown language. */
export type MarkCode = (code: string, language: string) => string | undefined;

/** More takes too long for one frame. */
const MAX_CHARACTERS = 20_000;
const MAX_LINE_CHARACTERS = 2_000;

interface HighlighterInput {
  readonly theme: Theme;
  /** Loads the languages; called with the first block that names one. */
  readonly load: () => Promise<MarkCode>;
  readonly onLoad: () => void;
}

export function createHighlighter({ theme, load, onLoad }: HighlighterInput): Highlighter {
  let mark: MarkCode | undefined;
  let loading: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    mark = await load();
    onLoad();
  };
  return {
    lines: (code, language = "") => {
      const plain = code.split("\n");
      const isShort =
        code.length <= MAX_CHARACTERS && plain.every((line) => line.length <= MAX_LINE_CHARACTERS);
      if (!theme.hasColor || language === "" || !isShort) return plain;
      loading ??= start();
      const marked = mark?.(code, language);
      const lines = marked === undefined ? plain : styleCode(marked, theme.code);
      // A highlighter must never change what the code says.
      return lines.length === plain.length ? [...lines] : plain;
    },
  };
}

/** Languages are loaded with the first code block: most commands never show one. */
export async function loadLanguages(): Promise<MarkCode> {
  const { markCode } = await import("./languages.ts");
  return markCode;
}
