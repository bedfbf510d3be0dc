import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { openTopicsForWriting, USER } from "./open-topics.ts";
import { formatNames } from "./topic-output.ts";

/** `caliban memory undo [ID]`: restores what a change replaced, as a new change. `--generation` undoes learned memory. */
export async function undoChange(invocation: Invocation): Promise<CommandResult> {
  const { options } = invocation;
  if (options["generation"] === true) {
    if (invocation.operands.length > 0)
      throw new UsageError("--generation takes no id; it always goes back by one generation");
    const { undoGeneration } = await import("../learned/undo-generation.ts");
    return await undoGeneration(invocation);
  }
  const [id] = invocation.operands;
  const { store, warnings } = await openTopicsForWriting(invocation);
  const { undone, files, change } = await store.undo({
    id,
    force: options["force"] === true,
    allowSecrets: options["allowSecrets"] === true,
    author: USER,
  });
  const names = formatNames(
    files.map(
      ({ slug, after }) => `${terminalSafeLine(slug)}${after === null ? " (removed)" : ""}`,
    ),
  );
  const stdout = invocation.json
    ? `${terminalSafeJson({ undone, files, change })}\n`
    : `undid ${undone.action} ${undone.id}: ${names}. Redo with: ${invocation.host.command(`memory undo ${change}`)}\n`;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}
