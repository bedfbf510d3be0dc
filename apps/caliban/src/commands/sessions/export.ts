import { resolve } from "node:path";
import { expandTilde, pathStyleOf, terminalSafe, terminalSafeLine } from "@caliban/common";
import { errorCode, hasCode, nodeDisk, writeNewFile } from "@caliban/common/node";
import { exportMarkdown } from "@caliban/sessions";
import { findSession, readSession } from "@caliban/sessions/node";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { openSessions, type OpenSessions } from "./open-sessions.ts";

/** `caliban sessions export SESSION`: the whole conversation as Markdown. */
export async function exportSession(invocation: Invocation): Promise<CommandResult> {
  const [wanted = ""] = invocation.operands;
  const sessions = await openSessions(invocation);
  const { directory, warnings } = sessions;
  const id = findSession(directory, wanted);
  const { records, diagnostics } = await readSession(directory, id);
  const flaws = diagnostics.map(({ message: sentence }) => `caliban: ${terminalSafeLine(sentence)}\n`);
  const stderr = warnings + flaws.join("");
  const markdown = exportMarkdown(records);
  const output = textOption(invocation, "output");
  if (output !== undefined) return await writeTo(invocation, { markdown, stderr, sessions });
  const stdout = invocation.host.isTerminal ? terminalSafe(markdown) : markdown;
  return { stdout, stderr, exitCode: EXIT.done };
}

async function writeTo(
  invocation: Invocation,
  {
    markdown,
    stderr,
    sessions,
  }: { readonly markdown: string; readonly stderr: string; readonly sessions: OpenSessions },
): Promise<CommandResult> {
  const { shown } = sessions;
  const path = outputPath(invocation);
  try {
    await writeNewFile(nodeDisk, path, markdown);
    return { stdout: `wrote ${shown(path)}\n`, stderr, exitCode: EXIT.done };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const why = hasCode(error, "EEXIST") ? "it is there already" : `the system says ${code}`;
    const sentence = `caliban: ${shown(path)} cannot be written: ${why}; name another file\n`;
    return { stdout: "", stderr: stderr + sentence, exitCode: EXIT.failed };
  }
}

function outputPath({ host, options }: Invocation): string {
  const output = textOption({ options }, "output") ?? "";
  if (output === "") throw new UsageError("--output needs a file");
  return resolve(host.cwd ?? "/", expandTilde(pathStyleOf(host.platform), output, host.home));
}
