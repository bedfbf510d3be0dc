import type { TranscriptLayout } from "../drawing/main-screen.ts";
import type { Highlighter } from "../code/highlighter.ts";
import { fitLines } from "../fit-lines.ts";
import type { Theme } from "../theme.ts";
import { createAnswerRenderer } from "./answer-renderer.ts";
import type { ScreenItem } from "./items.ts";
import { renderItem } from "./render-item.ts";
import type { Transcript } from "./transcript.ts";

interface ViewState {
  readonly transcript: Transcript;
  readonly expandedFrom: number;
  readonly workspaceRoot: string;
  /** The running work; without it, no item changes anymore. */
  readonly work: unknown;
}

interface TranscriptViewInput {
  readonly theme: Theme;
  readonly highlighter?: Highlighter;
  readonly state: () => ViewState;
}

interface Rendered {
  readonly width: number;
  readonly isExpanded: boolean;
  /** The lines of the item, in parts that wrap on their own. */
  readonly parts: readonly (readonly string[])[];
}

/** Shows all items. Items that did not change since the last frame are not rendered again. */
export function createTranscriptView({
  theme,
  highlighter,
  state,
}: TranscriptViewInput): TranscriptLayout {
  let cache = new WeakMap<ScreenItem, Rendered>();
  let answers = createAnswerRenderer(theme, highlighter);
  const partsOf = (item: ScreenItem, width: number, isExpanded: boolean): Rendered["parts"] => {
    const cached = cache.get(item);
    if (cached?.width === width && cached.isExpanded === isExpanded) return cached.parts;
    const look = { theme, width, isExpanded, workspaceRoot: state().workspaceRoot };
    const all =
      item.kind === "answer" ? answers.render(item.text, width) : [renderItem(item, look)];
    const parts = all.map((lines) => fitLines(lines, width));
    cache.set(item, { width, isExpanded, parts });
    return parts;
  };
  const layout: TranscriptLayout["layout"] = (width) => {
    const { transcript, expandedFrom, work } = state();
    const { items } = transcript;
    const lines: string[] = [];
    const itemStarts: number[] = [];
    let stableCount: number | undefined;
    for (const [index, item] of items.entries()) {
      if (!isGroupedWith(items[index - 1], item)) lines.push("");
      const parts = partsOf(item, width, index >= expandedFrom);
      const isFinal = work === undefined || isComplete(item, index === items.length - 1);
      const finalCount = isFinal ? parts.length : parts.length - OPEN_PARTS;
      for (const [at, part] of parts.entries()) {
        if (at >= finalCount) stableCount ??= lines.length;
        itemStarts.push(lines.length);
        lines.push(...part);
      }
    }
    return { lines, itemStarts, stableCount: stableCount ?? lines.length };
  };
  return {
    layout,
    render: (width) => [...layout(width).lines],
    invalidate: () => {
      cache = new WeakMap();
      answers = createAnswerRenderer(theme, highlighter);
    },
  };
}

/** The next chunk of an answer may change its last block, and move the end of the one before. */
const OPEN_PARTS = 2;

function isComplete(item: ScreenItem, isLast: boolean): boolean {
  if (item.kind === "tool") return item.result !== undefined;
  return !isLast || (item.kind !== "answer" && item.kind !== "thought");
}

/** Calls, notices and thoughts follow one another directly; anything else starts after a blank line. */
function isGroupedWith(previous: ScreenItem | undefined, { kind }: ScreenItem): boolean {
  return previous === undefined || (GROUPED.has(kind) && GROUPED.has(previous.kind));
}

const GROUPED: ReadonlySet<ScreenItem["kind"]> = new Set(["tool", "notice", "thought"]);
