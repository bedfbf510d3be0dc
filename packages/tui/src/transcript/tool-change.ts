import { terminalSafe } from "@caliban/common";
import { isRecord } from "../../../../apps/caliban/src/is-record.ts";
import type { ToolItem } from "./items.ts";

/** One line of what a call takes away or puts there, or of what it wrote over something else; its text is harmless. */
export interface ChangeLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/**
 * What `Edit` or `Write` would change; `undefined` for any other call. Without the text that is there before, a file
 * that is written counts as new.
 */
export function toolChange(
  name: string,
  input: unknown,
  before = "",
): readonly ChangeLine[] | undefined {
  if (!isRecord(input)) return undefined;
  if (name === "Write" && typeof input["content"] === "string") {
    return replacedLines(linesOf(before), linesOf(input["content"]));
  }
  const [old, put] = [input["old_string"], input["new_string"]];
  if (name !== "Edit" || typeof old !== "string" || typeof put !== "string") return undefined;
  return replacedLines(linesOf(old), linesOf(put));
}

/** What `Edit` or `Write` changed. Of a file that was replaced, nobody knows which of its lines are new. */
export function madeChange(item: ToolItem): readonly ChangeLine[] | undefined {
  const change = toolChange(item.name, item.input);
  return isReplaced(item) ? change?.map(({ text }) => ({ sign: " ", text })) : change;
}

/** Whether `Write` put a file in the place of another one. */
export function isReplaced({ name, result }: ToolItem): boolean {
  if (name !== "Write" || result === undefined) return false;
  // A stored result has its words only.
  return isRecord(result.data)
    ? result.data["isNew"] === false
    : result.text.startsWith("Replaced");
}

/** How much is put there and taken away, such as `+3 −1`. */
export function changeCounts(lines: readonly ChangeLine[]): string {
  if (lines.length === 0) return "no change";
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.length - added;
  return [`+${added}`, ...(removed === 0 ? [] : [`−${removed}`])].join(" ");
}

/** Lines that stay the same at both ends are left out: they only say where. */
function replacedLines(before: readonly string[], after: readonly string[]): readonly ChangeLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ...before.slice(start, before.length - end).map((text) => ({ sign: "-", text }) as const),
    ...after.slice(start, after.length - end).map((text) => ({ sign: "+", text }) as const),
  ];
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return terminalSafe(text.replaceAll("\r\n", "\n").replace(/\n$/, ""))
    .replaceAll("\t", "    ")
    .split("\n");
}
