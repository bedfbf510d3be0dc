import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";

interface Output extends Partial<Omit<CommandResult, "stdout">> {
  /** Printed with `--json`. */
  readonly data: object;
  /** Printed otherwise. */
  readonly text: string;
}

/** The result of a command that prints text, or JSON with `--json`. */
export function output(
  { json }: Invocation,
  { data, text, stderr = [], exitCode = EXIT.done }: Output,
): CommandResult {
  return { stdout: json ? `${terminalSafeJson(data)}\n` : text, stderr, exitCode };
}
