import { parsePositiveInteger, terminalSafeJson, terminalSafeLine, timeAgo } from "@caliban/common";
import { listSessions, type SessionList, type SessionSummary } from "@caliban/sessions/node";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { formatCount } from "../format-count.ts";
import { renderNamedRows } from "../render-rows.ts";
import { openSessions } from "./open-sessions.ts";

/** `caliban sessions`: one line per session, newest first. */
export async function listStoredSessions(invocation: Invocation): Promise<CommandResult> {
  const { host, json } = invocation;
  const limit = parseLimit(invocation);
  const { directory, warnings, displayPath } = await openSessions(invocation);
  const list = listSessions(directory, { limit });
  const { sessions, omitted, diagnostics } = list;
  const stderr = [...warnings, ...diagnostics.map(({ message }) => message)];
  if (json) {
    const stdout = `${terminalSafeJson(toJson(directory, list))}\n`;
    return { stdout, stderr, exitCode: EXIT.done };
  }
  const nowMs = host.now();
  const rows = renderNamedRows(
    sessions.map((session) => sessionRow(session, nowMs)),
    host,
  );
  const more = omitted === 0 ? [] : [`  … and ${omitted} more; show them with --limit\n`];
  const stdout =
    rows.length === 0
      ? `no sessions yet in ${displayPath(directory)}\n`
      : [...rows, ...more].join("");
  return { stdout, stderr, exitCode: EXIT.done };
}

/** In JSON a message is called `sentence`, which other programs rely on. */
function toJson(directory: string, { sessions, omitted, diagnostics }: SessionList): object {
  return {
    directory,
    sessions,
    omitted,
    diagnostics: diagnostics.map(({ code, line, message }) => ({ code, line, sentence: message })),
  };
}

/** @throws UsageError */
function parseLimit(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "limit");
  if (text === undefined) return undefined;
  const limit = parsePositiveInteger(text);
  if (limit !== undefined) return limit;
  throw new UsageError(`--limit must be a positive integer, not ${JSON.stringify(text)}`);
}

function sessionRow(
  { id, updatedMs, exchangeCount, name, title }: SessionSummary,
  nowMs: number,
): readonly string[] {
  const count = exchangeCount === undefined ? "" : formatCount(exchangeCount, "exchange");
  const about = [name, title].filter((text) => text !== undefined && text !== "").join(": ");
  return [id, timeAgo(updatedMs, nowMs), count, terminalSafeLine(about || "(untitled)")];
}
