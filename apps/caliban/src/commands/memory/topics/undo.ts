import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { openTopicsToWrite, PERSON } from "./open-topics.ts";
import { someNames } from "./some-names.ts";

/** `caliban memory undo [ID]`: what was there before comes back; that is a change, too. `--generation` is another thing. */
export async function undoChange(invocation: Invocation): Promise<CommandResult> {
  const { options } = invocation;
  if (options["generation"] === true) {
    if (invocation.operands.length > 0)
      throw new UsageError("--generation takes no number; it goes back by one");
    const { undoGeneration } = await import("../learned/undo-generation.ts");
    return await undoGeneration(invocation);
  }
  const [id] = invocation.operands;
  const { store, warnings } = await openTopicsToWrite(invocation);
  const { undone, files, change } = await store.undo({
    id,
    force: options["force"] === true,
    allowSecrets: options["allowSecrets"] === true,
    author: PERSON,
  });
  const names = someNames(
    files.map(
      ({ slug, after }) => `${terminalSafeLine(slug)}${after === null ? " (removed)" : ""}`,
    ),
  );
  const stdout = invocation.json
    ? `${terminalSafeJson({ undone, files, change })}\n`
    : `undid ${undone.action} ${undone.id}: ${names}; \`caliban memory undo ${change}\` takes that back\n`;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}
