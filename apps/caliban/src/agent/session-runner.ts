import { createToolRunner, type ToolRunner, type ToolRunnerInput } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { createPermissionApprovals } from "@caliban/memory/node";
import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";
import type { ComposedAgent } from "./compose-agent.ts";

export interface SessionRunnerInput {
  readonly host: Host;
  readonly session: Session;
  readonly agent: Pick<ComposedAgent, "tools" | "policy">;
  /** The id that what is saved in this session carries. */
  readonly sessionId: string;
  /** Left out when nobody is there to answer. */
  readonly ask?: ToolRunnerInput["ask"];
}

/** Runs the calls of a session: every save is said on stderr, and "always" holds in this workspace. */
export function createSessionRunner(input: SessionRunnerInput): ToolRunner {
  const { host, session, agent, sessionId, ask } = input;
  const { env, platform, home } = host;
  const workspaceRoot = session.workspace.root;
  return createToolRunner({
    tools: agent.tools,
    policy: agent.policy,
    session: sessionId,
    notify: (line) => host.stderr(`${terminalSafeLine(line)}\n`),
    approvals: createPermissionApprovals({ env, platform, home, workspaceRoot }),
    ask,
  });
}
