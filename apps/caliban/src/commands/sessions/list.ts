import { parsePositiveInteger, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { listSessions, type SessionSummary } from "@caliban/sessions/node";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { renderRows } from "../memory/topics/list.ts";
import { openSessions } from "./open-sessions.ts";
import { timeAgo } from "@caliban/common";

/** `caliban sessions`: one line a session, newest first. */
export async function listStoredSessions(invocation: Invocation): Promise<CommandResult> {
  const limit = limitOf(invocation);
  const { directory, warnings, shown } = await openSessions(invocation);
  const list = listSessions(directory, { limit });
  const { sessions, omitted, diagnostics } = list;
  const unread = diagnostics.map(({ message: sentence }) => `caliban: ${terminalSafeLine(sentence)}\n`);
  const stderr = warnings + unread.join("");
  if (invocation.json) {
    const stdout = `${terminalSafeJson({ directory, ...list })}\n`;
    return { stdout, stderr, exitCode: EXIT.done };
  }
  const nowMs = invocation.host.now();
  const rows = renderRows(sessions.map((session) => rowOf(session, nowMs)));
  const more = omitted === 0 ? "" : `  … and ${omitted} more; --limit shows them\n`;
  const stdout = rows === "" ? `no sessions yet in ${shown(directory)}\n` : rows + more;
  return { stdout, stderr, exitCode: EXIT.done };
}

function limitOf(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "limit");
  if (text === undefined) return undefined;
  const limit = parsePositiveInteger(text);
  if (limit !== undefined) return limit;
  throw new UsageError(`--limit must be a whole number above 0, not ${JSON.stringify(text)}`);
}

function rowOf(
  { id, updatedMs, exchangeCount, name, title }: SessionSummary,
  nowMs: number,
): readonly string[] {
  const count =
    exchangeCount === undefined
      ? ""
      : `${exchangeCount} ${exchangeCount === 1 ? "exchange" : "exchanges"}`;
  const about = [name, title].filter((text) => text !== undefined && text !== "").join(": ");
  return [id, timeAgo(updatedMs, nowMs), count, terminalSafeLine(about || "(untitled)")];
}
