import { spellCommands, terminalSafeLine } from "@caliban/common";
import { renderReceipt } from "@caliban/memory";
import { renderDiagnostic } from "@caliban/settings";
import type { ProjectMemory } from "../../project/load-memory.ts";
import { openProject, type Project } from "../../project/project.ts";
import { composeAgent, type StartWarning } from "../prompt/compose-agent.ts";
import type { ConversationSetup, OpenAgent } from "../turn/state.ts";

type AgentSetup = Pick<
  ConversationSetup,
  "overrides" | "askImport" | "servers" | "current" | "checkpoints"
>;

/** Builds the prompt and the tools from memory that was loaded already. */
export async function openAgent(
  project: Project,
  memory: ProjectMemory,
  { overrides, servers, current, checkpoints }: Omit<AgentSetup, "askImport">,
): Promise<OpenAgent> {
  const composed = await composeAgent({
    project,
    memory,
    overrides,
    servers,
    sessionId: () => current.sessionId,
    current: () => current,
    onFileChange: checkpoints?.onChange,
  });
  const warnings = startWarnings(project, memory, composed.warnings);
  const { receipt, nonce, memoryDirectory, projectHome } = memory;
  return { ...composed, warnings, receipt, nonce, memoryDirectory, projectHome, project };
}

/** Reads settings and memory again, because the user may have changed them, and rebuilds the prompt. */
export async function reopenAgent(
  { host, options }: Project,
  setup: AgentSetup,
): Promise<OpenAgent> {
  const project = await openProject({ host, ...options });
  return await openAgent(project, await project.memory(setup.askImport), setup);
}

/** Everything the user must know before the conversation begins: settings, rules, skills, and memory that was cut. */
function startWarnings(
  { host: { command }, environment, settings }: Project,
  { receipt }: ProjectMemory,
  composed: readonly StartWarning[],
): readonly StartWarning[] {
  const { home, platform } = environment;
  // Lost learned memory is reported itself, not only counted.
  const lost = receipt.notices.filter(({ code }) => code === "LEARNED_NOT_USED");
  const shown = { receipt, home, platform, command };
  const memory: readonly StartWarning[] = [
    { code: "GLOBAL_MEMORY", message: renderReceipt({ ...shown, view: "warning" }).trimEnd() },
    { code: "MEMORY", message: renderReceipt({ ...shown, view: "problems" }).trimEnd() },
  ];
  return [
    ...settings.warnings.map((problem): StartWarning => {
      return { code: "SETTINGS", message: terminalSafeLine(renderDiagnostic(problem, command)) };
    }),
    ...composed,
    ...lost.map((notice): StartWarning => {
      const message = terminalSafeLine(spellCommands(notice, command));
      return { code: "LEARNED_MEMORY", message };
    }),
    ...memory.filter(({ message }) => message !== ""),
  ];
}
