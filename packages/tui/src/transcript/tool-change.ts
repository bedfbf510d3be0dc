import { isRecord, terminalSafe } from "@caliban/common";
import type { ToolItem } from "./items.ts";

/** One line that a call adds or removes, or (with a blank sign) writes over unknown text. The text is safe. */
export interface ChangeLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/**
 * What `Edit` or `Write` would change; `undefined` for any other call. Without the previous text, a written file counts
 * as new.
 */
export function toolChange(
  name: string,
  input: unknown,
  previous = "",
): readonly ChangeLine[] | undefined {
  if (!isRecord(input)) return undefined;
  if (name === "Write" && typeof input["content"] === "string") {
    return replacedLines(linesOf(previous), linesOf(input["content"]));
  }
  const [removed, added] = [input["old_string"], input["new_string"]];
  if (name !== "Edit" || typeof removed !== "string" || typeof added !== "string") return undefined;
  return replacedLines(linesOf(removed), linesOf(added));
}

/** What `Edit` or `Write` changed. When a file was replaced, it is not known which of its lines are new. */
export function completedChange(item: ToolItem): readonly ChangeLine[] | undefined {
  const change = toolChange(item.name, item.input);
  return writeKind(item) === "new" ? change : change?.map(({ text }) => ({ sign: " ", text }));
}

/** Whether a completed `Write` created a file or replaced one; unknown for a stored result, which has no data. */
export function writeKind({ name, result }: ToolItem): "new" | "replaced" | "unknown" {
  if (name !== "Write") return "new";
  const isNew = isRecord(result?.data) ? result.data["isNew"] : undefined;
  return isNew === undefined ? "unknown" : isNew === false ? "replaced" : "new";
}

/** How many lines are added and removed, such as `+3 −1`. */
export function changeCounts(lines: readonly ChangeLine[]): string {
  if (lines.length === 0) return "no change";
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.length - added;
  return [`+${added}`, ...(removed === 0 ? [] : [`−${removed}`])].join(" ");
}

/** Leaves out lines that are equal at both ends: they only say where the change is. */
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
