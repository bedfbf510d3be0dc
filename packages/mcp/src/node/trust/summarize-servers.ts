import type { ResolvedServer } from "../../trust/server-entry.ts";
import { visibleText, visibleWord } from "../../trust/visible-text.ts";
import { examineRequest } from "./examine-request.ts";
import type { ConfiguredServers } from "./resolve-servers.ts";
import { findWatchedFiles } from "./watched-files.ts";

/** Whether a server may be used. */
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

/** Summarizes every server at this moment: the user's own first, then the requested ones, each by name. Starts nothing. */
export async function summarizeServers(
  configured: ConfiguredServers,
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
  { workspaceRoot, approvals, redact = unchanged }: ConfiguredServers,
): Promise<ServerSummary> {
  const { server, isRequested, passedVariables, setVariables, notes } = resolved;
  const { name, source, tier } = server;
  const summary = {
    name,
    source,
    isRequested,
    notes,
    endpoint: endpointOf(resolved, redact),
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

function unchanged(words: readonly string[]): readonly string[] {
  return words;
}

/** One printable line. What a repository requests is shown unabridged. */
function endpointOf(
  { server: { transport }, isRequested }: ResolvedServer,
  redact: NonNullable<ConfiguredServers["redact"]>,
): string {
  const words =
    transport.kind === "http" ? [transport.url] : [transport.command, ...transport.args];
  const shown = isRequested ? words : redact(words);
  return transport.kind === "http"
    ? shown.map(visibleText).join("")
    : shown.map(visibleWord).join(" ");
}
