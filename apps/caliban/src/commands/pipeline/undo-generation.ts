import { existsSync } from "node:fs";
import { PipelineError } from "@caliban/autonomous-memory";
import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openPipeline } from "./open-pipeline.ts";

/** `caliban memory undo --generation`: what was learned before the last time is what new sessions get. */
export async function undoGeneration(invocation: Invocation): Promise<CommandResult> {
  const { place, warnings } = await openPipeline(invocation, { forWriting: true });
  const { directory } = place;
  if (!existsSync(directory)) return nothing(warnings, "nothing was learned here yet");
  const { createGenerations } = await import("@caliban/autonomous-memory/node");
  try {
    const generation = await createGenerations({ directory }).undo();
    const stdout = invocation.json
      ? `${terminalSafeJson({ generation })}\n`
      : `generation ${generation} is what new sessions see again; \`caliban memory view\` prints it\n`;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return nothing(warnings, error.message);
  }
}

function nothing(warnings: string, sentence: string): CommandResult {
  return { stdout: "", stderr: `${warnings}caliban: ${sentence}\n`, exitCode: EXIT.nothingFound };
}
