import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";

/** `caliban doctor`: what keeps it from working here. */
export async function examineInstallation(_invocation: Invocation): Promise<CommandResult> {
  return { stdout: "", exitCode: EXIT.done };
}
