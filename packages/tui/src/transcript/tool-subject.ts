import { terminalSafeLine } from "@caliban/common";
import { isRecord } from "../../../../apps/caliban/src/is-record.ts";

/** What a call is about, in the order in which it is looked for in the input. */
const TELLING_FIELDS = [
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
const MOST_CHARACTERS = 500;

/** The thing that a call is about, as one harmless line: a path as seen from the workspace, a command, a pattern. */
export function toolSubject(input: unknown, workspaceRoot: string): string {
  if (!isRecord(input)) return input === undefined ? "" : shortLine(JSON.stringify(input));
  for (const field of TELLING_FIELDS) {
    const value = input[field];
    if (typeof value === "string" && value !== "")
      return shortLine(fromWorkspace(value, workspaceRoot));
  }
  return Object.keys(input).length === 0 ? "" : shortLine(JSON.stringify(input));
}

function fromWorkspace(value: string, root: string): string {
  return value.startsWith(`${root}/`) ? value.slice(root.length + 1) : value;
}

/** Lines of a command are shown with a sign between them: what a terminal does at a line break is not wanted here. */
function shortLine(text: string): string {
  const line = terminalSafeLine(
    text
      .slice(0, MOST_CHARACTERS)
      .trim()
      .replaceAll(/\s*\n\s*/g, " ⏎ "),
  );
  return text.length > MOST_CHARACTERS ? `${line}…` : line;
}
