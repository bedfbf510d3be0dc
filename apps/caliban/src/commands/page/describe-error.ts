import { spellCommands } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import { isSettingsError, renderDiagnostic } from "@caliban/settings";
import type { Host } from "../../host.ts";
import { isUsageError } from "../../usage-error.ts";

/** The message of a problem that the user can fix; `undefined` for a bug. */
export function describeError(
  error: unknown,
  { command }: Pick<Host, "command">,
): string | undefined {
  if (isSettingsError(error))
    return error.problems.map((problem) => renderDiagnostic(problem, command)).join("\n");
  return isMemoryError(error) || isUsageError(error) ? spellCommands(error, command) : undefined;
}
