import { type PipelineEvent, renderRunLine, type RunLine } from "@caliban/autonomous-memory";
import type { PipelineThread } from "@caliban/autonomous-memory/node";
import { spellCommands, terminalSafeLine } from "@caliban/common";
import type { Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { planJob } from "./plan-job.ts";
import { startWorker } from "./start-worker.ts";
import { whyOff } from "./why-off.ts";

export interface StartPipelineInput {
  readonly invocation: Invocation;
  /** The current session. */
  readonly sessionId: string;
  readonly say: (line: RunLine) => void;
}

/** Learns from past sessions in the background of a conversation, if the user enabled that. Never fails. */
export async function startPipeline(
  input: StartPipelineInput,
): Promise<PipelineThread | undefined> {
  const { invocation, sessionId, say } = input;
  // Before any settings are read that should not count.
  if (invocation.bare || !invocation.memory) return undefined;
  const { command } = invocation.host;
  const commands = {
    stats: command("memory stats"),
    view: command("memory view"),
    inbox: command("memory inbox"),
  };
  const project = await openProject(invocation);
  const off = whyOff(project);
  if (off?.kind === "switched-off") {
    const text = `memory: not learning from past sessions: ${terminalSafeLine(off.message)} (${commands.stats})`;
    say({ tone: "plain", text });
  }
  if (off !== undefined) return undefined;
  const job = planJob({ project, trigger: "start", running: [sessionId] });
  const reported = new Set<string>();
  const onEvent = (event: PipelineEvent): void => {
    if (event.type !== "notice") return;
    const message = spellCommands(event.notice, command);
    if (reported.has(message) || reported.size === MAX_NOTICES) return;
    reported.add(message);
    say({ tone: "plain", text: `memory: ${terminalSafeLine(message)}` });
  };
  const worker = startWorker({ job, isAwaited: false, onEvent });
  void reportEnd(worker, say, { commands, reported });
  return worker;
}

/** More would be a report, and that is what `memory stats` is for. */
const MAX_NOTICES = 2;

async function reportEnd(
  { end }: PipelineThread,
  say: StartPipelineInput["say"],
  input: Parameters<typeof renderRunLine>[1],
): Promise<void> {
  const line = renderRunLine(await end, input);
  if (line !== undefined) say(line);
}
