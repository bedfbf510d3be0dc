import { existsSync } from "node:fs";
import { isPipelineError } from "@caliban/autonomous-memory";
import { spellCommands, type SpellCommand, terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openLearned } from "./open-learned.ts";

/** `caliban memory undo --generation`: restores the previous generation of learned memory. */
export async function undoGeneration(invocation: Invocation): Promise<CommandResult> {
  const { location, warnings, off } = await openLearned(invocation, { forWriting: true });
  const { directory } = location;
  if (!existsSync(directory)) return nothingToUndo(warnings, "nothing has been learned yet");
  const { createGenerations } = await import("@caliban/autonomous-memory/node");
  try {
    const generation = await createGenerations({ directory }).undo();
    const { command } = invocation.host;
    const stdout = invocation.json
      ? `${terminalSafeJson({ generation })}\n`
      : `${renderRestored(generation, { off: off?.message, command })}\n`;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  } catch (error) {
    if (!isPipelineError(error)) throw error;
    return nothingToUndo(warnings, spellCommands(error, invocation.host.command));
  }
}

function renderRestored(
  generation: number,
  { off, command }: { readonly off: string | undefined; readonly command: SpellCommand },
): string {
  if (off !== undefined)
    return `generation ${generation} is current again, but not in the prompt: ${off}`;
  return `new sessions use generation ${generation} again (${command("memory view")}). To build a new one from all sessions: ${command("memory rebuild")}`;
}

function nothingToUndo(warnings: readonly string[], message: string): CommandResult {
  return { stdout: "", stderr: [...warnings, message], exitCode: EXIT.nothingFound };
}
