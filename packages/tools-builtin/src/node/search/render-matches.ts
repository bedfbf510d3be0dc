import type { ToolResult } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { FileInputs } from "../schemas/file-input.ts";
import { type SearchTarget, displayIn } from "./search-target.ts";
import { type FoundFile, type FoundLine, MAX_LINE_CHARACTERS } from "./engine/search-request.ts";

/** What a search found, and how it is to be shown. */
export interface Matches {
  readonly input: FileInputs["Grep"];
  readonly files: readonly FoundFile[];
  readonly end: "done" | "enough" | "time-limit";
  readonly place: SearchTarget;
  readonly mostEntries: number;
  /** Files that were not looked into because a rule keeps them from being read. */
  readonly leftOut: number;
  /** Shown at the end. */
  readonly notes: readonly string[];
}

const MOST_CHARACTERS = 30_000;

/** Shows as many entries as are wanted, and says when there are more. */
export function renderMatches(found: Matches): ToolResult {
  const { input, files, end, place, leftOut, notes } = found;
  const data = {
    files: files.map((file) => ({ path: pathOf(place, file), matches: file.matches })),
    isComplete: end === "done",
    ...(leftOut > 0 ? { leftOut } : {}),
  };
  if (files.length === 0) {
    const text = [nothingFound(found), ...notes].join("\n\n");
    return { text, ...(end === "time-limit" ? { isError: true } : {}), data };
  }
  const mode = input.output_mode ?? "content";
  const lines =
    mode === "content"
      ? contentLines(found)
      : files
          .slice(0, found.mostEntries)
          .map((file) => nameOf(place, file) + (mode === "count" ? `: ${file.matches}` : ""));
  return { text: [cutText(lines), ...noteOf(found), ...notes].join("\n\n"), data };
}

function nothingFound({ input, end, place }: Matches): string {
  if (end === "time-limit") {
    return "Grep was stopped at its time limit before it found anything. Use a simpler expression, or a smaller path.";
  }
  const where = place.display === "." ? "" : ` in ${terminalSafeLine(place.display)}`;
  const files = input.glob === undefined ? "" : ` in files like ${input.glob}`;
  return `Nothing matches${where}${files}.`;
}

function noteOf({ end, mostEntries }: Matches): readonly string[] {
  if (end === "enough") {
    return [`[there are more than these ${mostEntries}; narrow the search, or raise head_limit]`];
  }
  if (end === "time-limit") {
    return ["[stopped at the time limit: there may be more; narrow the search]"];
  }
  return [];
}

function contentLines({ files, place, mostEntries }: Matches): readonly string[] {
  const shown: string[] = [];
  let room = mostEntries;
  for (const file of files) {
    if (room <= 0) break;
    const lines = firstMatches(file.lines, room);
    room -= lines.filter(({ isMatch }) => isMatch).length;
    shown.push(nameOf(place, file), ...lines.flatMap(renderLine));
  }
  return shown;
}

function firstMatches(lines: readonly FoundLine[], count: number): readonly FoundLine[] {
  const next = lines.filter(({ isMatch }) => isMatch)[count];
  return next === undefined ? lines : lines.filter(({ number }) => number < next.number);
}

function renderLine(
  { number, text, isMatch }: FoundLine,
  index: number,
  lines: readonly FoundLine[],
): readonly string[] {
  const before = lines[index - 1];
  const hasContext = lines.some((line) => !line.isMatch);
  const isApart = hasContext && before !== undefined && before.number < number - 1;
  const cut =
    text.length > MAX_LINE_CHARACTERS
      ? `${text.slice(0, MAX_LINE_CHARACTERS).toWellFormed()} [cut here]`
      : text;
  return [...(isApart ? ["--"] : []), `${number}${isMatch ? ":" : "-"} ${cut}`];
}

function cutText(lines: readonly string[]): string {
  let characters = 0;
  const kept = lines.filter((line) => (characters += line.length + 1) <= MOST_CHARACTERS);
  if (kept.length === lines.length) return kept.join("\n");
  return `${kept.join("\n")}\n[${lines.length - kept.length} lines left out; narrow the search]`;
}

/** As it is shown: a name may have line breaks in it, and would look like more than one. */
function nameOf(place: SearchTarget, file: FoundFile): string {
  return terminalSafeLine(pathOf(place, file));
}

function pathOf(place: SearchTarget, { name }: FoundFile): string {
  return displayIn(place, name);
}
