import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopicsToWrite } from "./open-topics.ts";

/** `caliban memory rebuild-index`: the lines from the topics, the rest as it is. */
export async function rebuildIndex(invocation: Invocation): Promise<CommandResult> {
  const { store, warnings } = await openTopicsToWrite(invocation);
  const { added, dropped, isChanged } = await store.rebuildIndex();
  const done = isChanged
    ? `rebuilt the index: ${added.length} added, ${dropped.length} dropped, the others made anew\n`
    : "the index is up to date\n";
  return {
    stdout: invocation.json ? `${terminalSafeJson({ added, dropped, isChanged })}\n` : done,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}
