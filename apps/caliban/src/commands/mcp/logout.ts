import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { findLoginServer } from "./login-server.ts";

/** `caliban mcp logout NAME`: removes the stored tokens of a server. */
export async function logOutOfServer(invocation: Invocation): Promise<CommandResult> {
  const found = await findLoginServer(invocation);
  if ("result" in found) return found.result;
  const { name, store, warnings } = found;
  if (!(await store.remove()))
    return {
      stdout: "",
      stderr: [...warnings, `no login to ${name}`],
      exitCode: EXIT.nothingFound,
    };
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "logged-out", name })}\n`
      : `removed the tokens of ${name} from this machine\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}
