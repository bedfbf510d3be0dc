import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import type { Highlighter } from "../code/highlighter.ts";
import type { Theme } from "../theme.ts";
import { answerBlocks } from "./answer-blocks.ts";

/** Renders answers block by block. Blocks of the answer that was rendered last are not rendered again. */
export interface AnswerRenderer {
  readonly render: (text: string, width: number) => readonly (readonly string[])[];
}

/** Without a highlighter, code has no colors. */
export function createAnswerRenderer(theme: Theme, highlighter?: Highlighter): AnswerRenderer {
  const markdown: MarkdownTheme =
    highlighter === undefined
      ? theme.markdown
      : { ...theme.markdown, highlightCode: highlighter.lines };
  let rendered = new Map<string, readonly string[]>();
  let renderedWidth = 0;
  return {
    render: (text, width) => {
      const known = width === renderedWidth ? rendered : new Map<string, readonly string[]>();
      const blocks = answerBlocks(text.trimEnd());
      const lines = blocks.map((block) => known.get(block) ?? renderBlock(block, markdown, width));
      rendered = new Map(blocks.map((block, index) => [block, lines[index] ?? []]));
      renderedWidth = width;
      return lines.map((each, index) => (index === 0 ? each : [""].concat(each)));
    },
  };
}

/** Links are never clickable, and formulas are not rendered: the user sees exactly what the model wrote. */
function renderBlock(block: string, theme: MarkdownTheme, width: number): readonly string[] {
  const options = { renderLatex: false };
  const lines = new Markdown(block, 0, 0, theme, undefined, options).render(width);
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, end + 1);
}
