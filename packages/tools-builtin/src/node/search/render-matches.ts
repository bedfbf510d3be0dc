import type { ToolResult } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { FileInputs } from "../schemas/file-input.ts";
import { type FoundFile, type FoundLine, MAX_LINE_CHARACTERS } from "./engine/search-request.ts";
import { displayIn, type SearchTarget } from "./search-target.ts";

/** The result of a search, and how to show it. */
export interface Matches {
  readonly input: FileInputs["Grep"];
  readonly files: readonly FoundFile[];
  readonly end: "done" | "enough" | "time-limit";
  readonly target: SearchTarget;
  readonly maxEntries: number;
  /** The number of files that were not searched because a rule denies reading them. */
  readonly denied: number;
  /** Shown at the end. */
  readonly notes: readonly string[];
}

const MAX_CHARACTERS = 30_000;

/** Renders as many entries as requested, and says if there are more. */
export function renderMatches(matches: Matches): ToolResult {
  const { input, files, end, target, denied, notes } = matches;
  const data = {
    files: files.map((file) => ({ path: displayIn(target, file.name), matches: file.matches })),
    isComplete: end === "done",
    ...(denied > 0 ? { leftOut: denied } : {}),
  };
  if (files.length === 0) {
    const text = [describeNoMatches(matches), ...notes].join("\n\n");
    return { text, ...(end === "time-limit" ? { isError: true } : {}), data };
  }
  const mode = input.output_mode ?? "content";
  const lines =
    mode === "content"
      ? contentLines(matches)
      : files
          .slice(0, matches.maxEntries)
          .map((file) => fileLine(target, file) + (mode === "count" ? `: ${file.matches}` : ""));
  return { text: [truncate(lines), ...limitNotes(matches), ...notes].join("\n\n"), data };
}

function describeNoMatches({ input, end, target }: Matches): string {
  if (end === "time-limit") {
    return "Grep reached its time limit before it found anything. Use a simpler expression or a smaller path.";
  }
  const where = target.display === "." ? "" : ` in ${terminalSafeLine(target.display)}`;
  const files = input.glob === undefined ? "" : ` in files like ${input.glob}`;
  return `No matches${where}${files}.`;
}

function limitNotes({ end, maxEntries }: Matches): readonly string[] {
  if (end === "enough") {
    return [`[there are more than these ${maxEntries}; narrow the search, or raise head_limit]`];
  }
  if (end === "time-limit") {
    return ["[stopped at the time limit; there may be more matches: narrow the search]"];
  }
  return [];
}

function contentLines({ files, target, maxEntries }: Matches): readonly string[] {
  const shown: string[] = [];
  let room = maxEntries;
  for (const file of files) {
    if (room <= 0) break;
    const lines = firstMatches(file.lines, room);
    room -= lines.filter(({ isMatch }) => isMatch).length;
    shown.push(fileLine(target, file), ...lines.flatMap(renderLine));
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
  const previous = lines[index - 1];
  const hasContext = lines.some((line) => !line.isMatch);
  const hasGap = hasContext && previous !== undefined && previous.number < number - 1;
  const shown =
    text.length > MAX_LINE_CHARACTERS
      ? `${text.slice(0, MAX_LINE_CHARACTERS).toWellFormed()} [truncated]`
      : text;
  return [...(hasGap ? ["--"] : []), `${number}${isMatch ? ":" : "-"} ${shown}`];
}

function truncate(lines: readonly string[]): string {
  let characters = 0;
  const kept = lines.filter((line) => (characters += line.length + 1) <= MAX_CHARACTERS);
  if (kept.length === lines.length) return kept.join("\n");
  return `${kept.join("\n")}\n[${lines.length - kept.length} lines left out; narrow the search]`;
}

/** Escapes line breaks, so that one name cannot look like several. */
function fileLine(target: SearchTarget, { name }: FoundFile): string {
  return terminalSafeLine(displayIn(target, name));
}
