import type { ResolvedServer } from "@caliban/mcp/node";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { openConfiguredServers } from "../mcp/configured-servers.ts";
import { type ServerSummary, summarizeServers } from "../mcp/server-summary.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { findProgram } from "./find-program.ts";

/** Checks whether every configured MCP server could be started, without starting one, and which need approval. */
export async function checkServers(invocation: Invocation): Promise<readonly Check[]> {
  const { host } = invocation;
  const configured = await openConfiguredServers(invocation);
  const summaries = await summarizeServers(configured);
  const checks = summaries.map(async (summary) => {
    const resolved = configured.servers.find(({ server }) => server.name === summary.name);
    return await checkServer(host, summary, resolved);
  });
  return (await Promise.all(checks)).flat();
}

async function checkServer(
  host: Host,
  summary: ServerSummary,
  resolved: ResolvedServer | undefined,
): Promise<readonly Check[]> {
  const { name, standing, notes, source, isRequested } = summary;
  const about = `server ${name}`;
  switch (standing) {
    case "yours":
    case "approved":
      return await checkProgram(host, { about, summary, resolved });
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

interface StartableServer {
  readonly about: string;
  readonly summary: ServerSummary;
  readonly resolved: ResolvedServer | undefined;
}

/** Checks that the program exists and that its variables are set. */
async function checkProgram(
  { platform }: Host,
  { about, summary, resolved }: StartableServer,
): Promise<readonly Check[]> {
  const { standing, notes, source, endpoint } = summary;
  const transport = resolved?.server.transport;
  const { command, env } = transport?.kind === "stdio" ? transport : NO_PROGRAM;
  if (command !== "" && (await findProgram({ env, platform }, command)) === undefined) {
    const remedy = `Install it, or fix the command in ${source}.`;
    return [problem(about, `no such program: ${command}`, remedy)];
  }
  if (notes.length > 0)
    return notes.map((reason) => note(about, reason, `Set it, or fix ${source}.`));
  return [ok(about, `${standing === "yours" ? "yours" : "approved"}: ${endpoint}`)];
}

const NO_PROGRAM = { command: "", env: {} };
