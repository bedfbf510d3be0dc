import { type ResolvedServer, type ServerSummary, summarizeServers } from "@caliban/mcp/node";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { openConfiguredServers } from "../mcp/configured-servers.ts";
import { findProgram } from "./access.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** Checks whether every configured MCP server could be started, without starting one, and which need approval. */
export async function checkServers(invocation: Invocation): Promise<readonly Check[]> {
  const { host } = invocation;
  const configured = await openConfiguredServers(invocation);
  const summaries = await summarizeServers(configured);
  return summaries.flatMap((summary) => {
    const resolved = configured.servers.find(({ server }) => server.name === summary.name);
    return checkServer(host, summary, resolved);
  });
}

function checkServer(
  host: Host,
  summary: ServerSummary,
  resolved: ResolvedServer | undefined,
): readonly Check[] {
  const { name, standing, notes, source, isRequested } = summary;
  const about = `server ${name}`;
  switch (standing) {
    case "yours":
    case "approved":
      return checkUsable(host, summary, resolved);
    case "turned-off":
      return [note(about, `turned off in ${source}`)];
    case "problem":
      return notes.map((reason) =>
        // The user cannot be expected to fix files of a repository.
        isRequested
          ? note(about, `requested by ${source}, but cannot be used: ${reason}`)
          : problem(about, reason, `Fix it in ${source}.`),
      );
    case "changed":
      return [note(about, "changed since you approved it", host.command(`mcp approve ${name}`))];
    case "needs-approval":
      return [
        note(about, `requested by ${source} but not approved`, host.command(`mcp approve ${name}`)),
      ];
  }
}

/** Checks that the program exists and that its variables are set. */
function checkUsable(
  { platform }: Host,
  { name, standing, notes, source, endpoint }: ServerSummary,
  resolved: ResolvedServer | undefined,
): readonly Check[] {
  const about = `server ${name}`;
  const transport = resolved?.server.transport;
  if (transport?.kind === "stdio" && !findProgram({ ...transport, platform }, transport.command))
    return [
      problem(
        about,
        `no such program: ${transport.command}`,
        `Install it, or fix the command in ${source}.`,
      ),
    ];
  if (notes.length > 0)
    return notes.map((reason) => note(about, reason, `Set it, or fix ${source}.`));
  return [ok(about, `${standing}: ${endpoint}`)];
}
