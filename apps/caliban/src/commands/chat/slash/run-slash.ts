import { terminalSafeLine } from "@caliban/common";
import { parseSlash } from "./parse-slash.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";
import { slashFailure } from "./slash-failure.ts";
import { SLASH_COMMANDS } from "./slash-table.ts";

/** Runs a line that begins with a slash. */
export async function runSlash(
  line: string,
  input: Omit<SlashInput, "rest" | "words">,
): Promise<SlashResult> {
  const parsed = parseSlash(line, SLASH_COMMANDS);
  if (parsed?.kind !== "command") return unknown(parsed ?? { name: line, meant: undefined });
  const { row, rest, words } = parsed;
  if (rest !== "" && row.operands === undefined) return tooMuch(row.name, rest);
  try {
    const run = await row.load();
    return await run({ ...input, rest, words });
  } catch (error) {
    return slashFailure(error);
  }
}

function unknown({
  name,
  meant,
}: {
  readonly name: string;
  readonly meant: string | undefined;
}): SlashResult {
  if (name === "") return { kind: "mistake", text: "That is no command; /help lists them" };
  const hint = meant === undefined ? "/help lists them" : `did you mean /${meant}?`;
  return { kind: "mistake", text: `There is no command /${terminalSafeLine(name)}; ${hint}` };
}

/** What would be passed over is not: the person meant something by it. */
function tooMuch(name: string, rest: string): SlashResult {
  const text = `/${name} takes nothing behind it, so nothing was done about "${shortLine(rest)}"; it is only /${name}`;
  return { kind: "mistake", text };
}

function shortLine(text: string): string {
  const line = terminalSafeLine(text.replaceAll(/\s+/g, " "));
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
