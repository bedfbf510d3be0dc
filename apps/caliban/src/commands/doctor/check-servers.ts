import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import type { ResolvedServer } from "@caliban/mcp/node";
import { openConfiguredServers } from "../mcp/configured-servers.ts";
import { type ServerSummary, summarizeServers } from "../mcp/server-summary.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { findProgram } from "./find-program.ts";

/** Whether every MCP server of the settings could be started, and what waits for the person. None is started. */
export async function checkServers(invocation: Invocation): Promise<readonly Check[]> {
  const { host } = invocation;
  const configured = await openConfiguredServers(invocation);
  const rows = await summarizeServers(configured);
  const checks = rows.map(async (row) => {
    const resolved = configured.servers.find(({ server }) => server.name === row.name);
    return await checkServer(host, row, resolved);
  });
  return (await Promise.all(checks)).flat();
}

async function checkServer(
  host: Host,
  row: ServerSummary,
  resolved: ResolvedServer | undefined,
): Promise<readonly Check[]> {
  const { name, standing, notes, source, isRequested } = row;
  const about = `server ${name}`;
  if (standing === "yours" || standing === "approved")
    return await checkProgram(host, { about, row, resolved });
  if (standing === "turned-off") return [note(about, `It is turned off in ${source}.`)];
  if (standing === "problem")
    return notes.map((sentence) =>
      // What a repository writes is not the person's to mend.
      isRequested
        ? note(about, `${source} requests it, but it cannot be used: ${sentence}.`)
        : problem(about, `${sentence}.`, `Mend it in ${source}.`),
    );
  const why = standing === "changed" ? "It changed since you approved it" : "It is not approved";
  return [note(about, `${why}, so it is not used.`, `caliban mcp approve ${name}`)];
}

interface Startable {
  readonly about: string;
  readonly row: ServerSummary;
  readonly resolved: ResolvedServer | undefined;
}

/** Whether what would be started is there, with all it wants. */
async function checkProgram(
  { platform }: Host,
  { about, row, resolved }: Startable,
): Promise<readonly Check[]> {
  const { standing, notes, source, endpoint } = row;
  const transport = resolved?.server.transport;
  const { command, env } = transport?.kind === "stdio" ? transport : NO_PROGRAM;
  if (command !== "" && (await findProgram({ env, platform }, command)) === undefined) {
    const remedy = `Install it, or mend command in ${source}.`;
    return [problem(about, `There is no program ${command} to start.`, remedy)];
  }
  if (notes.length > 0)
    return notes.map((sentence) => note(about, `${sentence}.`, `Set it, or mend ${source}.`));
  return [ok(about, `${standing === "yours" ? "Yours" : "Approved"}: ${endpoint}`)];
}

const NO_PROGRAM = { command: "", env: {} };
