import {
  diffLines,
  isRecord,
  type NumberedLine,
  parseNumberedDiff,
  renderHunk,
  splitLines,
  terminalSafe,
} from "@caliban/common";
import type { ToolItem } from "./items.ts";

/** A change, line by line; its texts are safe. */
export type Change = readonly NumberedLine[];

const CONTEXT_LINES = 3;

/** What `Edit` or `Write` would change in a file with this text; `undefined` for any other call. */
export function plannedChange(
  name: string,
  input: unknown,
  previous: string | undefined,
): Change | undefined {
  if (!isRecord(input)) return undefined;
  const { content, old_string: removed, new_string: added } = input;
  if (name === "Write" && typeof content === "string")
    return changeBetween(previous ?? "", content);
  if (name !== "Edit" || typeof removed !== "string" || typeof added !== "string") return undefined;
  const edit = { removed, added, isEverywhere: input["replace_all"] === true };
  return plannedEdit(edit, previous ?? "");
}

interface PlannedEdit {
  readonly removed: string;
  readonly added: string;
  readonly isEverywhere: boolean;
}

function plannedEdit({ removed, added, isEverywhere }: PlannedEdit, previous: string): Change {
  const before = withPlainLineEnds(previous);
  const [search, replacement] = [withPlainLineEnds(removed), withPlainLineEnds(added)];
  // The call will fail, but what it asks for can still be shown.
  if (search === "" || !before.includes(search)) {
    return unplaced(changeBetween(search, replacement));
  }
  const after = isEverywhere
    ? before.replaceAll(search, () => replacement)
    : before.replace(search, () => replacement);
  return changeBetween(before, after);
}

/** What a completed `Edit` or `Write` changed; `undefined` for any other call, and one that failed. */
export function completedChange({ name, input, result }: ToolItem): Change | undefined {
  if (result === undefined || result.isError) return undefined;
  const diff = result.facts?.["diff"];
  if (typeof diff === "string") return safeLines(parseNumberedDiff(diff));
  // Stored without the previous text, so it is not known which lines of a file are new.
  const change = plannedChange(name, input, undefined);
  const isKnown = name === "Edit" || result.facts?.["isNew"] === true;
  return isKnown ? change : change?.map(({ text }) => ({ sign: " ", line: undefined, text }));
}

/** How many lines are added and removed, such as `+3 −1`. */
export function changeCounts(change: Change): string {
  const count = (wanted: string): number => change.filter(({ sign }) => sign === wanted).length;
  return renderCounts(count("+"), count("-"));
}

export function renderCounts(added: number, removed: number): string {
  if (added + removed === 0) return "no change";
  return [`+${added}`, ...(removed === 0 ? [] : [`−${removed}`])].join(" ");
}

function changeBetween(before: string, after: string): Change {
  const hunks = diffLines(splitLines(before), splitLines(after), CONTEXT_LINES);
  return safeLines(parseNumberedDiff(hunks.flatMap(renderHunk).join("\n")));
}

/** Without the lines that only say where the change is, and without numbers. */
function unplaced(change: Change): Change {
  return change.flatMap(({ sign, text }) =>
    sign === " " ? [] : [{ sign, line: undefined, text }],
  );
}

function safeLines(change: Change): Change {
  return change.map(({ sign, line, text }) => ({
    sign,
    line,
    text: terminalSafe(text).replaceAll("\t", "    "),
  }));
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
