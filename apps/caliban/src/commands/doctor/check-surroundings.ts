import { accessSync, constants, readdirSync } from "node:fs";
import { errorCode, hasCode } from "@caliban/common/node";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { openSessions } from "../sessions/open-sessions.ts";
import { abbreviatePath } from "../user-paths.ts";
import { findProgram } from "./access.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** A Node that is too old never gets here. */
export function checkNode({ nodeVersion }: Host): Check {
  return ok("node", nodeVersion.replace(/^v/, ""));
}

export function checkTerminal(host: Host): Check {
  const isScreen = host.isTerminal && host.inputKind() === "terminal";
  if (!isScreen)
    return note("terminal", "stdin or stdout is not a terminal, so answers are printed as with -p");
  const term = host.env["TERM"] ?? "";
  if (term === "" || term === "dumb")
    return problem("terminal", `TERM=${term} cannot show the screen`, host.command('-p "…"'));
  const isColored = (host.env["NO_COLOR"] ?? "") === "";
  return ok("terminal", `TERM=${term}, ${isColored ? "in color" : "without color (NO_COLOR)"}`);
}

/** The programs that tools use. */
const PROGRAMS: readonly { readonly name: string; readonly without: string }[] = [
  { name: "bash", without: "the Bash tool does not work" },
  { name: "git", without: "worktrees and ignored files are detected by reading files only" },
  { name: "rg", without: "Grep uses its own, slower search" },
];

export function checkPrograms(host: Host): readonly Check[] {
  return PROGRAMS.map(({ name, without }) => {
    const path = findProgram(host, name);
    return path === undefined
      ? note(name, `not in PATH: ${without}`)
      : ok(name, abbreviatePath(host, path));
  });
}

/** Checks where the conversations of this project are stored. */
export async function checkSessions(invocation: Invocation): Promise<Check> {
  const { directory, displayPath } = await openSessions(invocation);
  const shown = displayPath(directory);
  try {
    const files = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));
    accessSync(directory, constants.W_OK);
    return ok("sessions", `${files.length} in ${shown}`);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return ok("sessions", `none yet in ${shown}`);
    const code = errorCode(error);
    if (code === undefined) throw error;
    return problem("sessions", `cannot use ${shown} (${code})`, `ls -ld ${shown}`);
  }
}
