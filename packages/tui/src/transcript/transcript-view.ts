import type { Component } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import { renderItem } from "./render-item.ts";
import type { ScreenItem } from "./items.ts";
import type { ScreenState } from "../screen/screen-state.ts";
import type { Theme } from "../theme.ts";

interface TranscriptViewInput {
  readonly theme: Theme;
  readonly state: () => Pick<ScreenState, "transcript" | "expandedFrom" | "workspaceRoot">;
}

interface Rendered {
  readonly width: number;
  readonly isExpanded: boolean;
  readonly lines: readonly string[];
}

/** Shows all items; those that did not change since the last time are not made anew. */
export function createTranscriptView({ theme, state }: TranscriptViewInput): Component {
  let known = new WeakMap<ScreenItem, Rendered>();
  const linesOf = (item: ScreenItem, width: number, isExpanded: boolean): readonly string[] => {
    const before = known.get(item);
    if (before?.width === width && before.isExpanded === isExpanded) return before.lines;
    const look = { theme, width, isExpanded, workspaceRoot: state().workspaceRoot };
    const lines = fitLines(renderItem(item, look), width);
    known.set(item, { width, isExpanded, lines });
    return lines;
  };
  return {
    render: (width) => {
      const { transcript, expandedFrom } = state();
      const lines: string[] = [];
      for (const [index, item] of transcript.items.entries()) {
        if (!belongsToLast(item, transcript.items[index - 1])) lines.push("");
        lines.push(...linesOf(item, width, index >= expandedFrom));
      }
      return lines;
    },
    invalidate: () => {
      known = new WeakMap();
    },
  };
}

/** Calls and notices stand under each other; anything else begins after a blank line. */
function belongsToLast({ kind }: ScreenItem, last: ScreenItem | undefined): boolean {
  return last === undefined || (CLOSE.has(kind) && CLOSE.has(last.kind));
}

const CLOSE: ReadonlySet<ScreenItem["kind"]> = new Set(["tool", "notice", "thought"]);
