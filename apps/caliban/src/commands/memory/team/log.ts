import { terminalSafeLine } from "@caliban/common";
import type { TeamLogEntry } from "@caliban/memory-git";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { changes } from "./render-sync.ts";
import { ago, openTeamCommand, reportTeamErrors } from "./team-command.ts";

const DEFAULT_LIMIT = 20;

/** `caliban memory team log [SLUG]`: who shared and changed what, newest first. */
export async function showTeamLog(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const [slug] = invocation.operands;
    const { team, warnings } = await openTeamCommand(invocation);
    const entries = await team.engine.log({ slug, limit: parseLimit(invocation) });
    const isEmpty = entries.length === 0;
    const rows = renderNamedRows(
      entries.map((entry) => row(entry, invocation.host.now())),
      invocation.host,
    );
    return output(invocation, {
      data: { entries },
      text: rows.join(""),
      stderr: isEmpty ? [...warnings, "nothing is shared yet"] : warnings,
      exitCode: isEmpty ? EXIT.nothingFound : EXIT.done,
    });
  });
}

/** @throws UsageError */
function parseLimit(invocation: Invocation): number {
  const given = textOption(invocation, "limit");
  if (given === undefined) return DEFAULT_LIMIT;
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new UsageError("--limit must be a positive integer");
  return Number(given);
}

function row({ id, at, author, changes: all }: TeamLogEntry, nowMs: number): readonly string[] {
  const trust = author.key === undefined ? " (not signed)" : "";
  return [id.slice(0, 8), ago(at, nowMs), `${terminalSafeLine(author.name)}${trust}`, changes(all)];
}
