import {
  type PermissionPolicy,
  resolveSystemPrompt,
  type SystemPrompt,
  type Tool,
} from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { offeredSkills } from "@caliban/skills";
import type { Invocation } from "../command.ts";
import type { Session, SessionMemory } from "../compose.ts";
import { listSkills } from "./list-skills.ts";
import { ruleSlips } from "./rule-slips.ts";
import { sessionPolicy } from "./session-policy.ts";
import { loadSessionSkills } from "./session-skills.ts";
import { offeredTools, sessionTools } from "./session-tools.ts";

/** What a model gets: the prompt, the tools, and what decides over them. */
export interface ComposedAgent {
  readonly prompt: SystemPrompt;
  readonly tools: readonly Tool[];
  readonly policy: PermissionPolicy;
  /** What is to be said about skills and rules that are not there, one a line. */
  readonly warnings: readonly string[];
}

/** The prompt of a session, exactly as a model gets it, with its tools. */
export async function composeAgent(
  invocation: Invocation,
  session: Session,
  memory: SessionMemory,
): Promise<ComposedAgent> {
  const { host } = invocation;
  const { policy, warnings } = sessionPolicy(invocation, session.settings);
  const autoMemory = hasAutoMemory(invocation, session);
  const place = { workspace: session.workspace, autoMemory, projectHome: memory.projectHome };
  const { skills, diagnostics } = await loadSessionSkills(invocation, place);
  const all = sessionTools({ host, session, autoMemory, skills });
  const tools = offeredTools(all, policy);
  const listed = listSkills(offeredSkills(skills));
  const prompt = resolveSystemPrompt({
    memoryPrefix: memory.prefix,
    cwd: session.workspace.startDirectory,
    platform: host.platform,
    tools,
    skills: listed.skills,
  });
  const skillWarnings = diagnostics.map(
    ({ path, sentence }) => `skill ${terminalSafeLine(path)}: ${sentence}`,
  );
  const slips = ruleSlips(policy, all);
  return {
    prompt,
    tools,
    policy,
    warnings: [...warnings, ...slips, ...skillWarnings, ...listed.warnings],
  };
}

/** Whether the agent keeps notes in this run. */
function hasAutoMemory({ bare, memory }: Invocation, { settings }: Session): boolean {
  return !bare && memory && settings.values["memory.auto"];
}
