import { relative } from "node:path";
import {
  createToolRunner,
  type PermissionApprovals,
  type PermissionPolicy,
  type ToolRunner,
  type ToolRunnerInput,
} from "@caliban/agent-core";
import { openApprovals } from "@caliban/memory/node";
import { keyValues } from "@caliban/providers";
import { createSecretMask } from "@caliban/tools-builtin/node";
import type { Project } from "../../project/project.ts";
import type { ComposedAgent } from "../prompt/compose-agent.ts";

export interface ConversationRunnerInput {
  readonly project: Project;
  readonly agent: Pick<ComposedAgent, "tools" | "deniedTools">;
  readonly approvals: PermissionApprovals;
  /** Called before each tool call, because the mode can change. */
  readonly policy: () => PermissionPolicy;
  /** Recorded with everything that is saved in this session. */
  readonly sessionId: string;
  readonly notify: NonNullable<ToolRunnerInput["notify"]>;
  /** Absent when no one can answer. */
  readonly ask?: ToolRunnerInput["ask"];
}

/** Runs tool calls. "Always" applies to this workspace, and the user's keys are masked in every result. */
export function createConversationRunner(input: ConversationRunnerInput): ToolRunner {
  const { project, agent, approvals, sessionId, policy, notify, ask } = input;
  const runner = createToolRunner({
    tools: [...agent.tools, ...agent.deniedTools],
    policy,
    session: sessionId,
    notify,
    approvals,
    ask,
  });
  const { settings, environment } = project;
  const mask = createSecretMask(keyValues(settings.values.providers, environment.env));
  return {
    onUserMessage: runner.onUserMessage,
    run: async (call) => {
      const result = await runner.run(call);
      return { ...result, text: mask(result.text), data: maskTexts(result.data, mask) };
    },
  };
}

/** The "always" answers of one workspace. Changes throw a MemoryError: `APPROVALS_DAMAGED` or `UNWRITABLE`. */
export interface ProjectApprovals extends PermissionApprovals {
  readonly list: () => Promise<readonly string[]>;
  /** Revokes an answer; false when there is no such approval. */
  readonly forget: (subject: string) => Promise<boolean>;
}

/**
 * Opens the "always" answers of a project. A command depends on its directory, so a command that was approved in
 * another directory of the workspace needs a new approval.
 */
export function projectApprovals({
  environment,
  workspace,
}: Pick<Project, "environment" | "workspace">): ProjectApprovals {
  const { root: workspaceRoot, startDirectory } = workspace;
  const stored = openApprovals("permission", { ...environment, workspaceRoot });
  const below = relative(workspaceRoot, startDirectory);
  const inDirectory = (subject: string): string =>
    below !== "" && subject.startsWith("permission:shell.") ? `${subject} in ${below}` : subject;
  return {
    isApproved: (subject) => stored.isApproved(inDirectory(subject)),
    approve: (subject) => stored.approve(inDirectory(subject)),
    list: async () => {
      const { approvals } = await stored.list();
      const hash = await loadHash();
      // An approval whose hash does not match its subject approves nothing.
      return approvals
        .filter(({ subject, sha256 }) => sha256 === hash(subject))
        .map(({ subject }) => subject);
    },
    forget: async (subject) => {
      const sha256 = (await loadHash())(subject);
      return await stored.remove(
        (approval) => approval.subject === subject && approval.sha256 === sha256,
      );
    },
  };
}

/** Loaded on first use, because the crypto module costs milliseconds. */
async function loadHash(): Promise<(text: string) => string> {
  const { hash } = await import("node:crypto");
  return (text) => hash("sha256", text);
}

function maskTexts(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskTexts(item, mask)]),
  );
}
