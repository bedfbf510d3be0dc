import { answerHook } from "../../agent-hooks/answer-hook.ts";
import { parseEvent } from "../../agent-hooks/event/parse-event.ts";
import { renderAnswer } from "../../agent-hooks/event/render-answer.ts";
import { HOOK_AGENTS, isHookAgent } from "../../agent-hooks/hook-event.ts";
import { openHookProject } from "../../agent-hooks/hook-project.ts";
import { logHookProblem } from "../../agent-hooks/hook-log.ts";
import { probeAnswer } from "../../agent-hooks/probe/probe-event.ts";
import { readHookInput } from "../../agent-hooks/read-hook-input.ts";
import { startRefresh } from "../../agent-hooks/start-refresh.ts";
import { hookStateDirectory } from "../../agent-hooks/state-directory.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";

/** Agents wait for their hooks. Whatever takes longer is not worth it. */
const MAX_MS = 3_000;

const NOTHING: CommandResult = { stdout: "", exitCode: EXIT.done };

/**
 * `caliban hook run AGENT`: answers a hook of another agent. Whatever happens, it ends well and prints nothing but the
 * answer, because other exit codes and outputs can block the agent. Its own problems go to a file that `caliban doctor`
 * reads.
 */
export async function runHook(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  if (host.inputKind() === "terminal") {
    const install = host.command("hook install");
    return { ...NOTHING, stderr: [`other agents call this command; set it up with: ${install}`] };
  }
  try {
    const answer = await withinTime(findAnswer(invocation));
    if (answer !== undefined) return { ...NOTHING, stdout: answer };
    report(invocation, `no answer within ${MAX_MS} ms`);
  } catch (error) {
    report(invocation, error instanceof Error ? error.message : String(error));
  }
  return NOTHING;
}

async function findAnswer(invocation: Invocation): Promise<string> {
  const { host, operands } = invocation;
  const [agent = ""] = operands;
  const input = await readHookInput(host);
  const event = typeof input === "string" ? parseEvent(input) : input;
  if (event === "ignored") return "";
  if ("problem" in event) {
    report(invocation, event.problem);
    return "";
  }
  if (!isHookAgent(agent)) {
    report(invocation, `not one of ${HOOK_AGENTS.join(", ")}`);
    return "";
  }
  const probe = probeAnswer(host.env, event.name);
  if (probe !== undefined) return renderAnswer(event.name, probe);
  const project = await openHookProject(invocation, event.cwd);
  let refreshing: Promise<void> | undefined;
  const refresh = (): void => void (refreshing ??= startRefresh(project));
  const answer = await answerHook({ project, agent, event, refresh });
  await refreshing;
  return answer === undefined ? "" : renderAnswer(event.name, answer);
}

/** `undefined` if it takes too long. */
async function withinTime(answer: Promise<string>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MAX_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Nothing can be done about a file that cannot be written, and the agent must not notice. */
function report({ host, operands }: Invocation, message: string): void {
  const { env, platform, home, native } = host;
  const stateDirectory = hookStateDirectory({ env, platform, home, native });
  if (stateDirectory === undefined) return;
  const agent = (operands[0] ?? "").slice(0, 40);
  try {
    logHookProblem(stateDirectory, { atMs: host.now(), agent, message });
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
  }
}
