import { relative } from "node:path";
import {
  createToolRunner,
  type PermissionPolicy,
  type ToolRunner,
  type ToolRunnerInput,
} from "@caliban/agent-core";
import { createPermissionApprovals, type KeptPermissions } from "@caliban/memory/node";
import { createSecretMask } from "@caliban/tools-builtin/node";
import type { Project } from "../../project/project.ts";
import { keyValues } from "@caliban/providers";
import type { ComposedAgent } from "../prompt/compose-agent.ts";

export interface SessionRunnerInput {
  readonly project: Project;
  readonly agent: Pick<ComposedAgent, "tools" | "withheld">;
  readonly approvals: KeptPermissions;
  /** Asked before each call, because the mode can change. */
  readonly policy: () => PermissionPolicy;
  /** The id that what is saved in this session carries. */
  readonly sessionId: string;
  readonly notify: (line: string) => void;
  /** Left out when nobody is there to answer. */
  readonly ask?: ToolRunnerInput["ask"];
}

/** Runs the calls of a session: "always" holds in this workspace, and no key of the person's is in a result. */
export function createSessionRunner(input: SessionRunnerInput): ToolRunner {
  const { project, agent, approvals, sessionId, policy, notify, ask } = input;
  const runner = createToolRunner({
    tools: [...agent.tools, ...agent.withheld],
    policy,
    session: sessionId,
    notify,
    approvals,
    ask,
  });
  const mask = createSecretMask(
    keyValues(project.settings.values.providers, project.environment.env),
  );
  return {
    onUserMessage: runner.onUserMessage,
    run: async (call) => {
      const result = await runner.run(call);
      return { ...result, text: mask(result.text), data: masked(result.data, mask) };
    },
  };
}

/**
 * Answers of "always", kept for this workspace. A command means what it means in its directory, so one that was approved
 * in another directory of the workspace is asked about again.
 */
export function sessionApprovals({
  environment,
  workspace,
}: Pick<Project, "environment" | "workspace">): KeptPermissions {
  const { root: workspaceRoot, startDirectory } = workspace;
  const kept = createPermissionApprovals({ ...environment, workspaceRoot });
  const below = relative(workspaceRoot, startDirectory);
  const here = (subject: string): string =>
    below !== "" && subject.startsWith("permission:shell.") ? `${subject} in ${below}` : subject;
  return {
    ...kept,
    isApproved: (subject) => kept.isApproved(here(subject)),
    approve: (subject) => kept.approve(here(subject)),
  };
}

/** The same for programs and screens: every text in it, however deep. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, masked(item, mask)]),
  );
}
