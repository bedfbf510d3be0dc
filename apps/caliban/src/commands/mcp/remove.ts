import { terminalSafe, terminalSafeJson } from "@caliban/common";
import { removeUserServer } from "@caliban/settings/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { requireSettingsFile } from "../settings/settings-file.ts";
import { displayPath } from "../user-paths.ts";
import { openConfiguredServers, serverNotFound } from "./configured-servers.ts";

/** `caliban mcp remove NAME`: removes a server from the user's settings and shows what it was. */
export async function removeServer(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [name = ""] = invocation.operands;
  const file = requireSettingsFile(host);
  const removed = await removeUserServer({ ...file, name });
  if (removed === undefined) return await notRemoved(invocation, name);
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ kind: "removed", name, server: removed.server, path: file.path })}\n`
      : `removed from ${displayPath(host, file.path)}:\n\n${terminalSafe(removed.text)}`,
    exitCode: EXIT.done,
  };
}

async function notRemoved(invocation: Invocation, name: string): Promise<CommandResult> {
  const { servers, warnings } = await openConfiguredServers(invocation);
  const requested = servers.find(({ server }) => server.name === name);
  if (requested === undefined) {
    const known = servers.flatMap(({ server, isRequested }) => (isRequested ? [] : [server.name]));
    return serverNotFound(invocation, name, { known, warnings });
  }
  const off = invocation.host.command(`settings set mcp.servers.${name}.enabled false`);
  const message = `this repository requests ${name}, so it is not in your settings. To turn it off, run: ${off}`;
  return { stdout: "", stderr: [...warnings, message], exitCode: EXIT.nothingFound };
}
