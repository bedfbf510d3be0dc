import { terminalSafe } from "@caliban/common";
import type { ToolItem, ToolItemResult } from "./items.ts";
import { changeCounts, isReplaced, toolChange } from "./tool-change.ts";
import { isRecord } from "../../../../apps/caliban/src/is-record.ts";

/** What came of a call, in a few words: `120 lines`, `+3 −1`, `exit 1`. Empty while it runs. */
export function toolOutcome(item: ToolItem): string {
  const { name, input, result } = item;
  if (result === undefined) return "";
  if (result.isError) return failure(result);
  const change = toolChange(name, input);
  if (change !== undefined) {
    return isReplaced(item) ? `replaced, ${counted(change.length, "line")}` : changeCounts(change);
  }
  // The first line of what a server gives back is a frame of ours.
  if (name.startsWith("mcp__")) return counted(fieldOf(result.data, "lines") ?? 0, "line");
  return (COUNTED[name] ?? OF_NOTES[name])?.(result) ?? firstLine(result.text);
}

type Describe = (result: ToolItemResult) => string;

/** Tools whose output is looked at for its size. */
const COUNTED: Readonly<Record<string, Describe>> = {
  Read: ({ text, data }) => counted(fieldOf(data, "lines") ?? lineCount(text), "line"),
  Glob: ({ text, data }) => counted(fieldOf(data, "total") ?? lineCount(text), "file"),
  Grep: ({ text, data }) => counted(lengthOf(data, "files") ?? lineCount(text), "file"),
  Bash: ({ text, durationMs = 0 }) => {
    // The last paragraph tells how the command ended.
    const printed = text.startsWith("No output.") ? "" : text.replace(/\n\n[^\n]*$/, "");
    const amount = printed === "" ? "no output" : counted(lineCount(printed), "line");
    return durationMs < LONG_MS ? amount : `${amount} · ${(durationMs / 1000).toFixed(1)} s`;
  },
};

const LONG_MS = 1000;

/** The notes: what changed is said in a line of its own. */
const OF_NOTES: Readonly<Record<string, Describe>> = {
  WriteMemoryTopic: ({ data }) => (isRecord(data) && data["isNew"] === false ? "changed" : "saved"),
  DeleteMemoryTopic: () => "removed",
  ReadMemoryTopic: ({ text, data }) => {
    const body = isRecord(data) && typeof data["body"] === "string" ? data["body"] : text;
    return counted(lineCount(body), "line");
  },
  MemorySearch: ({ text, data }) => {
    const topics = lengthOf(data, "topics");
    const passages = lengthOf(data, "sessions");
    if (topics === undefined || passages === undefined) return firstLine(text);
    if (topics + passages === 0) return "nothing found";
    const amounts = [counted(topics, "topic"), counted(passages, "passage")];
    return amounts.filter((amount) => !amount.startsWith("0 ")).join(", ");
  },
};

/** A command says by its number how it failed, anything else by its first line. */
function failure({ text, data }: ToolItemResult): string {
  const stopped = isRecord(data) ? data["stopped"] : undefined;
  if (stopped === "interrupted" || INTERRUPTED.test(text)) return "interrupted";
  if (stopped === "time-limit") return "stopped at the time limit";
  const sentence = isRecord(data) ? data["sentence"] : undefined;
  if (typeof sentence === "string") return firstLine(terminalSafe(sentence));
  const code = fieldOf(data, "exitCode");
  return code === undefined ? firstLine(text) : `exit ${code}`;
}

/** How a command that was interrupted ends, where only its words were kept. */
const INTERRUPTED = /The person interrupted it; it[^\n]*\.$/;

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

function lineCount(text: string): number {
  return text.trim() === "" ? 0 : text.trimEnd().split("\n").length;
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString("en-US")} ${unit}${count === 1 ? "" : "s"}`;
}

function fieldOf(data: unknown, name: string): number | undefined {
  const value = isRecord(data) ? data[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

function lengthOf(data: unknown, name: string): number | undefined {
  const value = isRecord(data) ? data[name] : undefined;
  return Array.isArray(value) ? value.length : undefined;
}
