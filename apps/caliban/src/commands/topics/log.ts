import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { type Change, undoneIds } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { renderRows } from "./list.ts";
import { openTopics } from "./open-topics.ts";

/** `caliban memory log [SLUG]`: newest first; with --json the texts as well. */
export async function showLog(invocation: Invocation): Promise<CommandResult> {
  const [name] = invocation.operands;
  const { store, warnings } = await openTopics(invocation);
  const changes = await store.log(name);
  const json = invocation.json ? `${terminalSafeJson({ changes })}\n` : undefined;
  const undone = undoneIds(changes.toReversed());
  const about = name === undefined ? "" : ` of ${terminalSafeLine(name)}`;
  if (changes.length === 0) {
    return {
      stdout: json ?? "",
      stderr: `${warnings}caliban: no change${about} is recorded\n`,
      exitCode: EXIT.nothingFound,
    };
  }
  return {
    stdout: json ?? renderRows(changes.map((change) => rowOf(change, undone.has(change.id)))),
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

function rowOf(
  { id, at, who, session, action, of, files, isErased }: Change,
  isUndone: boolean,
): readonly string[] {
  const by = session === undefined ? who : `${who} (${session})`;
  const names = files.map(({ slug }) => slug).join(", ");
  const notes = [
    ...(of === undefined ? [] : [`of ${of}`]),
    ...(isUndone ? ["undone"] : []),
    ...(isErased === true ? ["erased"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  const time = at.slice(0, 16).replace("T", " ");
  return [id, time, by, action, `${names}${note}`].map(terminalSafeLine);
}
