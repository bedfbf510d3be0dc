import {
  examineRequest,
  findWatchedFiles,
  type ResolvedServer,
  visibleText,
  visibleWord,
} from "@caliban/mcp/node";
import { redactedTexts } from "@caliban/settings";
import type { ProjectServers } from "../../project/mcp-servers.ts";

/** Whether a server may be used. The names are those of the JSON output. */
export type ServerStanding =
  | "yours"
  | "approved"
  | "needs-approval"
  | "changed"
  | "turned-off"
  | "problem";

/** One configured server. Contains only the names of variables, because a value may be a secret. */
export interface ServerSummary {
  readonly name: string;
  readonly source: string;
  readonly isRequested: boolean;
  readonly standing: ServerStanding;
  /** Problems, as clauses without a final period. */
  readonly notes: readonly string[];
  /** The command line or the URL. */
  readonly endpoint?: string;
  readonly tier?: "memory" | undefined;
  readonly variables?: readonly string[];
  /** Workspace files that a server of the user's own names. Whatever a repository puts there is used without a question. */
  readonly workspaceFiles?: readonly string[];
}

/** Summarizes every server at this moment: the user's own first, then the requested ones, each by name. */
export async function summarizeServers(
  configured: ProjectServers,
): Promise<readonly ServerSummary[]> {
  const usable = await Promise.all(configured.servers.map((one) => summarize(one, configured)));
  const unusable = configured.unusable.map(
    ({ name, source, isRequested, isOff, reason }): ServerSummary => ({
      name,
      source,
      isRequested,
      standing: isOff ? "turned-off" : "problem",
      notes: isOff ? [] : [reason],
    }),
  );
  return [...usable, ...unusable].toSorted(
    (a, b) => Number(a.isRequested) - Number(b.isRequested) || (a.name < b.name ? -1 : 1),
  );
}

async function summarize(
  resolved: ResolvedServer,
  { workspaceRoot, approvals }: ProjectServers,
): Promise<ServerSummary> {
  const { server, isRequested, passedVariables, setVariables, notes } = resolved;
  const { name, source, tier } = server;
  const summary = {
    name,
    source,
    isRequested,
    notes,
    endpoint: endpointOf(resolved),
    tier,
    variables: [...Object.keys(setVariables), ...passedVariables].map(visibleWord),
  };
  if (!isRequested) {
    const workspaceFiles = namedFiles(resolved, workspaceRoot);
    return { ...summary, standing: "yours", workspaceFiles };
  }
  const examined = await examineRequest(resolved, workspaceRoot);
  if ("reason" in examined)
    return { ...summary, standing: "problem", notes: [examined.reason, ...notes] };
  if (await approvals.isApproved(name, examined.server.fingerprint))
    return { ...summary, standing: "approved" };
  const { names } = await approvals.list();
  return { ...summary, standing: names.includes(name) ? "changed" : "needs-approval" };
}

function namedFiles(
  { server: { transport }, setVariables }: ResolvedServer,
  workspaceRoot: string,
): readonly string[] {
  if (transport.kind === "http") return [];
  const watched = findWatchedFiles(transport, { workspaceRoot, setVariables });
  return "reason" in watched ? [] : watched.named.map(visibleText);
}

/** One printable line; what looks like a secret in the user's own settings is redacted. */
function endpointOf({ server: { transport }, isRequested }: ResolvedServer): string {
  const words =
    transport.kind === "http" ? [transport.url] : [transport.command, ...transport.args];
  const shown = isRequested ? words : redactedTexts(words);
  return transport.kind === "http"
    ? shown.map(visibleText).join("")
    : shown.map(visibleWord).join(" ");
}
