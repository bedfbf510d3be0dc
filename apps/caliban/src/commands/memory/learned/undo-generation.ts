import { existsSync } from "node:fs";
import { PipelineError } from "@caliban/autonomous-memory";
import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openPipeline } from "./open-pipeline.ts";

/** `caliban memory undo --generation`: what was learned before the last time is what new sessions get. */
export async function undoGeneration(invocation: Invocation): Promise<CommandResult> {
  const { place, warnings, off } = await openPipeline(invocation, { forWriting: true });
  const { directory } = place;
  if (!existsSync(directory)) return nothing(warnings, "nothing was learned here yet");
  const { createGenerations } = await import("@caliban/autonomous-memory/node");
  try {
    const generation = await createGenerations({ directory }).undo();
    const stdout = invocation.json
      ? `${terminalSafeJson({ generation })}\n`
      : `${said(generation, off?.sentence)}\n`;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return nothing(warnings, error.message);
  }
}

function said(generation: number, off: string | undefined): string {
  if (off !== undefined)
    return `generation ${generation} is the current one again; nothing of it is in the prompt: ${off}`;
  return `generation ${generation} is what new sessions see again (caliban memory view); \`caliban memory rebuild\` makes it anew from all sessions`;
}

function nothing(warnings: string, sentence: string): CommandResult {
  return { stdout: "", stderr: `${warnings}caliban: ${sentence}\n`, exitCode: EXIT.nothingFound };
}
