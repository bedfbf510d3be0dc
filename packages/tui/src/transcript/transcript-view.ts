import type { Component } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import type { Theme } from "../theme.ts";
import type { ScreenItem } from "./items.ts";
import { renderItem } from "./render-item.ts";
import type { Transcript } from "./transcript.ts";

interface TranscriptViewInput {
  readonly theme: Theme;
  readonly state: () => {
    readonly transcript: Transcript;
    readonly expandedFrom: number;
    readonly workspaceRoot: string;
  };
}

interface Rendered {
  readonly width: number;
  readonly isExpanded: boolean;
  readonly lines: readonly string[];
}

/** Shows all items. Items that did not change since the last frame are not rendered again. */
export function createTranscriptView({ theme, state }: TranscriptViewInput): Component {
  let cache = new WeakMap<ScreenItem, Rendered>();
  const linesOf = (item: ScreenItem, width: number, isExpanded: boolean): readonly string[] => {
    const cached = cache.get(item);
    if (cached?.width === width && cached.isExpanded === isExpanded) return cached.lines;
    const look = { theme, width, isExpanded, workspaceRoot: state().workspaceRoot };
    const lines = fitLines(renderItem(item, look), width);
    cache.set(item, { width, isExpanded, lines });
    return lines;
  };
  return {
    render: (width) => {
      const { transcript, expandedFrom } = state();
      const lines: string[] = [];
      for (const [index, item] of transcript.items.entries()) {
        if (!isGroupedWith(transcript.items[index - 1], item)) lines.push("");
        lines.push(...linesOf(item, width, index >= expandedFrom));
      }
      return lines;
    },
    invalidate: () => {
      cache = new WeakMap();
    },
  };
}

/** Calls, notices and thoughts follow one another directly; anything else starts after a blank line. */
function isGroupedWith(previous: ScreenItem | undefined, { kind }: ScreenItem): boolean {
  return previous === undefined || (GROUPED.has(kind) && GROUPED.has(previous.kind));
}

const GROUPED: ReadonlySet<ScreenItem["kind"]> = new Set(["tool", "notice", "thought"]);
