import { terminalSafe } from "@caliban/common";
import { exportMarkdown } from "@caliban/sessions";
import { findSession, readSession } from "@caliban/sessions/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { outputPath, writeOutputFile } from "../output-file.ts";
import { openSessions } from "./open-sessions.ts";

/** `caliban sessions export SESSION`: the whole conversation as Markdown. */
export async function exportSession(invocation: Invocation): Promise<CommandResult> {
  const [session = ""] = invocation.operands;
  const { directory, workspace, warnings } = await openSessions(invocation);
  const id = findSession(directory, session);
  const { records, diagnostics } = await readSession(directory, id);
  const stderr = [...warnings, ...diagnostics.map(({ message }) => message)];
  const text = exportMarkdown(records);
  const path = outputPath(invocation, workspace);
  if (path !== undefined) return await writeOutputFile(invocation, { path, text, stderr });
  const stdout = invocation.host.isTerminal ? terminalSafe(text) : text;
  return { stdout, stderr, exitCode: EXIT.done };
}
