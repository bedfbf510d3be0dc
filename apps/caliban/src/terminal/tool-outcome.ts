import type { ToolItem, ToolItemResult } from "./screen-item.ts";
import { changeCounts, toolChange } from "./tool-change.ts";
import { isRecord } from "./tool-subject.ts";

/** What came of a call, in a few words: `120 lines`, `+3 −1`, `exit 1`. Empty while it runs. */
export function toolOutcome({ name, input, result }: ToolItem): string {
  if (result === undefined) return "";
  if (result.isError) return failure(result);
  const change = toolChange(name, input);
  if (change !== undefined) return changeCounts(change);
  return COUNTED[name]?.(result) ?? firstLine(result.text);
}

type Describe = (result: ToolItemResult) => string | undefined;

/** Tools whose output is looked at for its size. */
const COUNTED: Readonly<Record<string, Describe>> = {
  Read: ({ text }) => counted(text, "line"),
  Glob: ({ text }) => counted(text, "line"),
  Grep: ({ text }) => counted(text, "line"),
  Bash: ({ text, durationMs }) => {
    const took = durationMs !== undefined && durationMs >= 1000 ? [seconds(durationMs)] : [];
    return [counted(text, "line"), ...took].join(" · ");
  },
};

/** A command says by its number how it failed, anything else by its first line. */
function failure({ text, data }: ToolItemResult): string {
  const code = isRecord(data) ? data["exitCode"] : undefined;
  return typeof code === "number" ? `exit ${code}` : firstLine(text);
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}

function counted(text: string, unit: string): string {
  const lines = text.trim() === "" ? 0 : text.trimEnd().split("\n").length;
  return `${lines.toLocaleString("en-US")} ${unit}${lines === 1 ? "" : "s"}`;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
