import { isRecord, terminalSafe, terminalSafeLine } from "@caliban/common";
import type { ToolItem, ToolItemResult } from "./items.ts";
import { commandOutput, exitCode } from "./command-output.ts";
import { type Change, changeCounts, completedChange, renderCounts } from "./tool-change.ts";

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
  // Of a subagent's task; a command comes first where there is one.
  "description",
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

/**
 * The outcome of a call in a few words: `120 lines`, `+3 −1`, `exit 1`. Empty while it runs. Depends only on what is
 * stored with a conversation.
 */
export function toolOutcome(item: ToolItem): string {
  const { name, result } = item;
  if (result === undefined) return "";
  const outcome = result.isError ? failure(item, result) : success(item, result);
  // A denied call took only the time of the user.
  const hasRun = name === "Bash" && refusalOf(result) === undefined;
  const durationMs = hasRun ? (numberIn(result, "durationMs") ?? 0) : 0;
  return durationMs < LONG_MS ? outcome : `${outcome} · ${(durationMs / 1000).toFixed(1)} s`;
}

const LONG_MS = 1000;

function success(item: ToolItem, result: ToolItemResult): string {
  const { name } = item;
  const change = completedChange(item);
  if (change !== undefined) return changeOutcome(change, item, result);
  // The first line of an MCP result is the frame that caliban puts around it.
  if (name.startsWith("mcp__")) return counted(numberIn(result, "lines") ?? 0, "line");
  if (result.facts?.["isBackground"] === true) return "in the background";
  if (name === "Bash") return outputSize(item);
  return (SIZES[name] ?? MEMORY_OUTCOMES[name])?.(result) ?? firstLine(result.text);
}

function changeOutcome(change: Change, { name }: ToolItem, result: ToolItemResult): string {
  const [added, removed] = [numberIn(result, "added"), numberIn(result, "removed")];
  if (added !== undefined && removed !== undefined) return renderCounts(added, removed);
  const isKnown = name === "Edit" || result.facts?.["isNew"] === true;
  return isKnown ? changeCounts(change) : counted(change.length, "line");
}

function outputSize(item: ToolItem): string {
  const total = commandOutput(item)?.total ?? 0;
  return total === 0 ? "no output" : counted(total, "line");
}

type Describe = (result: ToolItemResult) => string;

/** Tools whose output is summarized by its size, or by what is done. */
const SIZES: Readonly<Record<string, Describe>> = {
  Task: (result) => {
    const [steps, tokens] = [numberIn(result, "steps") ?? 0, numberIn(result, "tokens") ?? 0];
    return `${counted(steps, "step")} · ${counted(tokens, "token")}`;
  },
  ExitPlanMode: ({ facts }) => {
    if (facts?.["approved"] !== true) return "not approved";
    return facts["isEdited"] === true ? "approved with changes" : "approved";
  },
  Read: (result) => counted(numberIn(result, "lines") ?? lineCount(result.text), "line"),
  BashOutput: (result) => {
    const lines = counted(numberIn(result, "lines") ?? 0, "new line");
    return result.facts?.["isRunning"] === true ? lines : `${lines}, ended`;
  },
  TodoWrite: (result) => {
    const [done, total] = [numberIn(result, "completed"), numberIn(result, "total") ?? 0];
    return done === undefined || total === 0 ? firstLine(result.text) : `${done} of ${total} done`;
  },
  WebFetch: (result) => counted(numberIn(result, "lines") ?? lineCount(result.text), "line"),
  Glob: (result) => counted(numberIn(result, "total") ?? lineCount(result.text), "file"),
  Grep: (result) => counted(numberIn(result, "files") ?? lineCount(result.text), "file"),
};

/** The memory tools; what changed is reported in a line of its own. */
const MEMORY_OUTCOMES: Readonly<Record<string, Describe>> = {
  WriteMemoryTopic: ({ facts }) => (facts?.["isNew"] === false ? "updated" : "saved"),
  DeleteMemoryTopic: () => "deleted",
  ReadMemoryTopic: (result) => counted(numberIn(result, "body") ?? lineCount(result.text), "line"),
  MemorySearch: (result) => {
    const topics = numberIn(result, "topics");
    const passages = numberIn(result, "sessions");
    if (topics === undefined || passages === undefined) return firstLine(result.text);
    if (topics + passages === 0) return "nothing found";
    const amounts = [counted(topics, "topic"), counted(passages, "passage")];
    return amounts.filter((amount) => !amount.startsWith("0 ")).join(", ");
  },
};

/** A command is summarized by its exit code, any other failure by its first line. */
function failure({ name }: ToolItem, result: ToolItemResult): string {
  const { text, facts } = result;
  const stopped = facts?.["stopped"];
  if (stopped === "interrupted") return "interrupted";
  if (stopped === "time-limit") return "timed out";
  const refusal = refusalOf(result);
  if (refusal !== undefined) return firstLine(terminalSafe(refusal));
  const code = name === "Bash" ? exitCode(result) : numberIn(result, "exitCode");
  return code === undefined ? firstLine(text) : `exit ${code}`;
}

/** Why a call was not run. */
function refusalOf({ facts }: ToolItemResult): string | undefined {
  const message = facts?.["message"] ?? facts?.["sentence"];
  return typeof message === "string" ? message : undefined;
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

function numberIn({ facts }: ToolItemResult, name: string): number | undefined {
  const value = facts?.[name];
  return typeof value === "number" ? value : undefined;
}
