import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openConfigured } from "./open-configured.ts";
import { type ServerRow, serverRows, type ServerStanding } from "./server-row.ts";

/** `caliban mcp list`: every server, whose it is, and whether it may be used. Nothing is started. */
export async function listServers(invocation: Invocation): Promise<CommandResult> {
  const configured = await openConfigured(invocation);
  const rows = await serverRows(configured);
  const { isSound } = await configured.approvals.list();
  const damaged = isSound
    ? ""
    : "caliban: warning: the file of approvals is damaged, so nothing of a repository is approved\n";
  return {
    stdout: invocation.json ? `${terminalSafeJson({ servers: rows })}\n` : render(rows),
    stderr: configured.warnings + damaged,
    exitCode: EXIT.done,
  };
}

function render(rows: readonly ServerRow[]): string {
  if (rows.length === 0)
    return "no MCP servers: write [mcp.servers.<name>] into your settings (docs/mcp.md)\n";
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map((row) => lines(row, width)).join("");
}

function lines(row: ServerRow, width: number): string {
  const { name, source, way, standing, notes, workspaceFiles = [] } = row;
  const below = [
    ...(way === undefined ? [] : [way]),
    `from ${source}`,
    ...workspaceFiles.map((file) => `note: it uses ${file}, whatever a repository has there`),
    ...notes.map((note) => `${standing === "problem" ? "problem" : "note"}: ${note}`),
  ];
  const first = `  ${name.padEnd(width)}  ${STANDINGS[standing].replace("NAME", name)}\n`;
  const indent = " ".repeat(width + 4);
  return first + below.map((line) => `${indent}${terminalSafeLine(line)}\n`).join("");
}

const STANDINGS: Readonly<Record<ServerStanding, string>> = {
  yours: "yours",
  approved: "approved",
  "needs-approval": "needs approval: caliban mcp approve NAME",
  changed: "changed since it was approved: caliban mcp approve NAME",
  "turned-off": "turned off",
  problem: "cannot be used",
};
