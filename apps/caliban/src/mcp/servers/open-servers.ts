import { createServerApprovals } from "@caliban/memory/node";
import type { Session } from "../../compose.ts";
import type { Host } from "../../host.ts";
import { type ApprovedServers, approveServers, type AskServer } from "./approve-servers.ts";
import { resolveServers } from "./resolve-servers.ts";

export interface OpenServersInput {
  readonly host: Pick<Host, "env" | "platform" | "home">;
  readonly session: Session;
  /** Left out where nobody can answer. */
  readonly ask?: AskServer | undefined;
}

/** The servers of a session that may be started, after the person was asked about those of the repository. */
export async function openServers(input: OpenServersInput): Promise<ApprovedServers> {
  const { host, session, ask } = input;
  const { env, platform, home } = host;
  const place = { env, platform, home, workspaceRoot: session.workspace.root };
  return await approveServers({
    ...resolveServers({ ...place, settings: session.settings }),
    workspaceRoot: place.workspaceRoot,
    approvals: createServerApprovals(place),
    ask,
  });
}
