import { createServerApprovals } from "@caliban/memory/node";
import type { Project } from "../../project/project.ts";
import { type ApprovedServers, approveServers, type AskApproval } from "../../../../../packages/mcp/src/node/trust/approve-servers.ts";
import { resolveServers } from "../../../../../packages/mcp/src/node/trust/resolve-servers.ts";

export interface OpenServersInput {
  readonly project: Project;
  /** Left out where nobody can answer. */
  readonly ask?: AskApproval | undefined;
}

/** The servers of a session that may be started, after the person was asked about those of the repository. */
export async function openServers(input: OpenServersInput): Promise<ApprovedServers> {
  const { project, ask } = input;
  const place = { ...project.environment, workspaceRoot: project.workspace.root };
  return await approveServers({
    ...resolveServers({ ...place, settings: project.settings }),
    workspaceRoot: place.workspaceRoot,
    approvals: createServerApprovals(place),
    ask,
  });
}
