import { isRecord, terminalSafe, terminalSafeLine } from "@caliban/common";
import type { ToolItem, ToolItemResult } from "./items.ts";
import { changeCounts, toolChange, writeKind } from "./tool-change.ts";

/** The input fields that say what a call is about, in order of preference. */
const SUBJECT_FIELDS = [
  "command",
  "file_path",
  "pattern",
  "query",
  "name",
  "skill",
  "path",
  "slug",
  "url",
];
const MAX_SUBJECT_CHARACTERS = 500;

/** What a call is about, as one safe line: a path relative to the workspace, a command, a pattern. */
export function toolSubject(input: unknown, workspaceRoot: string): string {
  if (!isRecord(input)) return input === undefined ? "" : shortLine(JSON.stringify(input));
  for (const field of SUBJECT_FIELDS) {
    const value = input[field];
    if (typeof value === "string" && value !== "")
      return shortLine(relativeTo(workspaceRoot, value));
  }
  return Object.keys(input).length === 0 ? "" : shortLine(JSON.stringify(input));
}

function relativeTo(root: string, value: string): string {
  return value.startsWith(`${root}/`) ? value.slice(root.length + 1) : value;
}

/** The lines of a command are joined by a visible sign, because a line break would break the layout. */
function shortLine(text: string): string {
  const line = terminalSafeLine(
    text
      .slice(0, MAX_SUBJECT_CHARACTERS)
      .trim()
      .replaceAll(/\s*\n\s*/g, " ⏎ "),
  );
  return text.length > MAX_SUBJECT_CHARACTERS ? `${line}…` : line;
}

/** The outcome of a call in a few words: `120 lines`, `+3 −1`, `exit 1`. Empty while it runs. */
export function toolOutcome(item: ToolItem): string {
  const { name, input, result } = item;
  if (result === undefined) return "";
  if (result.isError) return failure(result);
  const change = toolChange(name, input);
  if (change !== undefined) {
    const lines = counted(change.length, "line");
    const kind = writeKind(item);
    return kind === "new"
      ? changeCounts(change)
      : kind === "replaced"
        ? `replaced, ${lines}`
        : lines;
  }
  // The first line of an MCP result is the frame that caliban puts around it.
  if (name.startsWith("mcp__")) return counted(numberIn(result.data, "lines") ?? 0, "line");
  return (SIZES[name] ?? MEMORY_OUTCOMES[name])?.(result) ?? firstLine(result.text);
}

type Describe = (result: ToolItemResult) => string;

/** Tools whose output is summarized by its size. */
const SIZES: Readonly<Record<string, Describe>> = {
  Read: ({ text, data }) => counted(numberIn(data, "lines") ?? lineCount(text), "line"),
  Glob: ({ text, data }) => counted(numberIn(data, "total") ?? lineCount(text), "file"),
  Grep: ({ text, data }) => counted(lengthIn(data, "files") ?? lineCount(text), "file"),
  Bash: ({ text, durationMs = 0 }) => {
    // The last paragraph says how the command ended; without output it is the only one.
    const output = text.slice(0, Math.max(0, text.lastIndexOf("\n\n")));
    const amount = output === "" ? "no output" : counted(lineCount(output), "line");
    return durationMs < LONG_MS ? amount : `${amount} · ${(durationMs / 1000).toFixed(1)} s`;
  },
};

const LONG_MS = 1000;

/** The memory tools; what changed is reported in a line of its own. */
const MEMORY_OUTCOMES: Readonly<Record<string, Describe>> = {
  WriteMemoryTopic: ({ data }) => (isRecord(data) && data["isNew"] === false ? "updated" : "saved"),
  DeleteMemoryTopic: () => "deleted",
  ReadMemoryTopic: ({ text, data }) => {
    const body = isRecord(data) && typeof data["body"] === "string" ? data["body"] : text;
    return counted(lineCount(body), "line");
  },
  MemorySearch: ({ text, data }) => {
    const topics = lengthIn(data, "topics");
    const passages = lengthIn(data, "sessions");
    if (topics === undefined || passages === undefined) return firstLine(text);
    if (topics + passages === 0) return "nothing found";
    const amounts = [counted(topics, "topic"), counted(passages, "passage")];
    return amounts.filter((amount) => !amount.startsWith("0 ")).join(", ");
  },
};

/** A command is summarized by its exit code, any other failure by its first line. */
function failure({ text, data }: ToolItemResult): string {
  const stopped = isRecord(data) ? data["stopped"] : undefined;
  if (stopped === "interrupted") return "interrupted";
  if (stopped === "time-limit") return "timed out";
  const message = isRecord(data) ? (data["message"] ?? data["sentence"]) : undefined;
  if (typeof message === "string") return firstLine(terminalSafe(message));
  const code = numberIn(data, "exitCode");
  return code === undefined ? firstLine(text) : `exit ${code}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

function lineCount(text: string): number {
  return text.trim() === "" ? 0 : text.trimEnd().split("\n").length;
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString("en-US")} ${unit}${count === 1 ? "" : "s"}`;
}

function numberIn(data: unknown, name: string): number | undefined {
  const value = isRecord(data) ? data[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

function lengthIn(data: unknown, name: string): number | undefined {
  const value = isRecord(data) ? data[name] : undefined;
  return Array.isArray(value) ? value.length : undefined;
}
