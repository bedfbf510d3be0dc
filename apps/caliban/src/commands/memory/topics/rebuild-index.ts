import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopicsForWriting } from "./open-topics.ts";

/** `caliban memory rebuild-index`: writes the lines of the topics again and keeps the rest. */
export async function rebuildIndex(invocation: Invocation): Promise<CommandResult> {
  const { store, warnings } = await openTopicsForWriting(invocation);
  const { added, dropped, isChanged } = await store.rebuildIndex();
  const message = isChanged
    ? `rebuilt the index: ${added.length} added, ${dropped.length} dropped, the others refreshed\n`
    : "the index is up to date\n";
  return {
    stdout: invocation.json ? `${terminalSafeJson({ added, dropped, isChanged })}\n` : message,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}
