import type { KeptServers } from "@caliban/memory/node";
import { presentableTexts } from "@caliban/settings";
import { examineRequest } from "../../../../../packages/mcp/src/node/trust/examine-request.ts";
import type { ResolvedServers } from "../../../../../packages/mcp/src/node/trust/resolve-servers.ts";
import type { ResolvedServer } from "../../../../../packages/mcp/src/trust/resolved-server.ts";
import { visibleText, visibleWord } from "../../../../../packages/mcp/src/trust/visible-text.ts";
import { watchedFiles } from "../../../../../packages/mcp/src/node/trust/watched-files.ts";

/** Where a server stands with the person. */
export type ServerStanding =
  | "yours"
  | "approved"
  | "needs-approval"
  | "changed"
  | "turned-off"
  | "problem";

/** One server as it is listed. Of variables only the names: what they hold may be a secret. */
export interface ServerRow {
  readonly name: string;
  readonly source: string;
  readonly isWish: boolean;
  readonly standing: ServerStanding;
  /** What is wrong with it, or missing; a sentence each, without its stop. */
  readonly notes: readonly string[];
  /** The command line, or the URL. */
  readonly way?: string;
  readonly tier?: "memory" | undefined;
  readonly variables?: readonly string[];
  /** Files of the workspace that a server of the person's own names: what a repository has there is used unasked. */
  readonly workspaceFiles?: readonly string[];
}

/** How every server stands at this moment: the person's own first, each kind by name. */
export async function serverRows(
  configured: ResolvedServers & {
    readonly workspaceRoot: string;
    readonly approvals: KeptServers;
  },
): Promise<readonly ServerRow[]> {
  const usable = await Promise.all(configured.servers.map((one) => rowOf(one, configured)));
  const unusable = configured.unusable.map(
    ({ name, source, isRequested: isWish, isOff, reason }): ServerRow => ({
      name,
      source,
      isWish,
      standing: isOff ? "turned-off" : "problem",
      notes: isOff ? [] : [reason],
    }),
  );
  return [...usable, ...unusable].toSorted(
    (a, b) => Number(a.isWish) - Number(b.isWish) || (a.name < b.name ? -1 : 1),
  );
}

async function rowOf(
  resolved: ResolvedServer,
  { workspaceRoot, approvals }: { readonly workspaceRoot: string; readonly approvals: KeptServers },
): Promise<ServerRow> {
  const { server, isRequested: isWish, passedVariables, setVariables, notes } = resolved;
  const { name, source, tier } = server;
  const row = {
    name,
    source,
    isWish,
    notes,
    way: wayOf(resolved),
    tier,
    variables: [...Object.keys(setVariables), ...passedVariables].map(visibleWord),
  };
  if (!isWish)
    return { ...row, standing: "yours", workspaceFiles: namedFiles(resolved, workspaceRoot) };
  const examined = await examineRequest(resolved, workspaceRoot);
  if ("reason" in examined)
    return { ...row, standing: "problem", notes: [examined.reason, ...notes] };
  if (await approvals.isApproved(name, examined.server.fingerprint))
    return { ...row, standing: "approved" };
  const { names } = await approvals.list();
  return { ...row, standing: names.includes(name) ? "changed" : "needs-approval" };
}

function namedFiles(
  { server: { transport }, setVariables }: ResolvedServer,
  workspaceRoot: string,
): readonly string[] {
  if (transport.kind === "http") return [];
  const watched = watchedFiles(transport, { workspaceRoot, setVariables });
  return "reason" in watched ? [] : watched.named.map(visibleText);
}

/** What is started, or where it is, as one harmless line; of the person's own without what looks like a secret. */
function wayOf({ server: { transport }, isRequested: isWish }: ResolvedServer): string {
  const words =
    transport.kind === "http" ? [transport.url] : [transport.command, ...transport.args];
  const shown = isWish ? words : presentableTexts(words);
  return transport.kind === "http" ? shown.map(visibleText).join("") : shown.map(visibleWord).join(" ");
}
