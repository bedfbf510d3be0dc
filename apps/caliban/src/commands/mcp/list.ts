import { type SpellCommand, terminalSafeJson, terminalSafeLine, wrapLines } from "@caliban/common";
import { type ServerStanding, type ServerSummary, summarizeServers } from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { openConfiguredServers } from "./configured-servers.ts";

/** `caliban mcp list`: every server, where it comes from, and whether it may be used. Starts nothing. */
export async function listServers(invocation: Invocation): Promise<CommandResult> {
  const configured = await openConfiguredServers(invocation);
  const summaries = await summarizeServers(configured);
  const { isValid } = await configured.approvals.list();
  const damaged = isValid
    ? []
    : ["warning: the approvals file is damaged, so no server of a repository is approved"];
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ servers: summaries.map(toJson) })}\n`
      : render(summaries, invocation.host),
    stderr: [...configured.warnings, ...damaged],
    exitCode: EXIT.done,
  };
}

/** The keys that programs rely on, in their order. */
function toJson({ name, source, isRequested, notes, endpoint, ...rest }: ServerSummary): object {
  return { name, source, isWish: isRequested, notes, way: endpoint, ...rest };
}

function render(summaries: readonly ServerSummary[], { command, columns }: Host): string {
  if (summaries.length === 0)
    return `no MCP servers; to add one, run: ${command("mcp add <name> <url or program>")}\n`;
  const width = Math.max(...summaries.map(({ name }) => name.length));
  return wrapLines(
    summaries.map((summary) => renderSummary(summary, { width, command })).join(""),
    columns(),
  );
}

function renderSummary(
  summary: ServerSummary,
  { width, command }: { readonly width: number; readonly command: SpellCommand },
): string {
  const { name, source, endpoint, standing, notes, workspaceFiles = [] } = summary;
  const details = [
    ...(endpoint === undefined ? [] : [endpoint]),
    `from ${source}`,
    ...workspaceFiles.map((file) => `note: runs ${file}, which the repository can change`),
    ...notes.map((note) => `${standing === "problem" ? "problem" : "note"}: ${note}`),
  ];
  const needsApproval = standing === "needs-approval" || standing === "changed";
  const hint = needsApproval ? `. Run: ${command(`mcp approve ${name}`)}` : "";
  const first = `  ${name.padEnd(width)}  ${STANDING_LABELS[standing]}${hint}\n`;
  const indent = " ".repeat(width + 4);
  return first + details.map((line) => `${indent}${terminalSafeLine(line)}\n`).join("");
}

const STANDING_LABELS: Readonly<Record<ServerStanding, string>> = {
  yours: "yours",
  approved: "approved",
  "needs-approval": "not approved",
  changed: "changed since you approved it",
  "turned-off": "turned off",
  problem: "cannot be used",
};
