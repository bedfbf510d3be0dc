import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { errorCode, hasCode } from "@caliban/common/node";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { openSessions } from "../sessions/open-sessions.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { findProgram } from "./find-program.ts";
import { shownPath } from "./shown-path.ts";

/** The Node that runs this; an older one than can be used was refused at the very start. */
export function checkNode({ nodeVersion }: Host): Check {
  return ok("node", `Node ${nodeVersion.replace(/^v/, "")}`);
}

/** What the terminal can do, as far as it tells. */
export function checkTerminal(host: Host): Check {
  const isScreen = host.isTerminal && host.inputKind() === "terminal";
  if (!isScreen)
    return note("terminal", "stdin or stdout is no terminal, so answers are printed, as with -p.");
  const term = host.env["TERM"] ?? "";
  if (term === "" || term === "dumb")
    return problem("terminal", `TERM=${term} cannot show the screen.`, 'caliban -p "…"');
  const isColored = (host.env["NO_COLOR"] ?? "") === "";
  return ok("terminal", `TERM=${term}, ${isColored ? "in color" : "without color (NO_COLOR)"}.`);
}

/** What tools can make use of. */
const PROGRAMS: readonly { readonly name: string; readonly without: string }[] = [
  { name: "bash", without: "the Bash tool does not work" },
  { name: "git", without: "worktrees and ignored files are found by reading alone" },
  { name: "rg", without: "Grep searches by itself, which takes longer" },
];

/** Which programs are found in PATH. */
export async function checkPrograms(host: Host): Promise<readonly Check[]> {
  return await Promise.all(
    PROGRAMS.map(async ({ name, without }) => {
      const path = await findProgram(host, name);
      return path === undefined
        ? note(name, `It is not in PATH: ${without}.`)
        : ok(name, shownPath(host, path));
    }),
  );
}

/** Where the conversations of this project are kept. */
export async function checkSessions(invocation: Invocation): Promise<Check> {
  const { directory, shown } = await openSessions(invocation);
  const place = shown(directory);
  try {
    const files = (await readdir(directory)).filter((name) => name.endsWith(".jsonl"));
    await access(directory, constants.W_OK);
    return ok("sessions", `${files.length} in ${place}`);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return ok("sessions", `None in ${place} yet.`);
    const reason = errorCode(error);
    if (reason === undefined) throw error;
    return problem("sessions", `${place} cannot be used (${reason}).`, `ls -ld ${place}`);
  }
}
