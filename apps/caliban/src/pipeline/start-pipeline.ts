import type { PipelineEvent } from "@caliban/autonomous-memory";
import { spellCommands, type SpellCommand, terminalSafeLine } from "@caliban/common";
import type { Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { planJob } from "./plan-job.ts";
import { type PipelineLine, startLine } from "./start-lines.ts";
import { type PipelineWorker, startWorker } from "./start-worker.ts";
import { whyOff } from "./why-off.ts";

export interface StartPipelineInput {
  readonly invocation: Invocation;
  /** The current session. */
  readonly sessionId: string;
  readonly say: (line: PipelineLine) => void;
}

/** Learns from past sessions in the background of a conversation, if the user enabled that. Never fails. */
export async function startPipeline(
  input: StartPipelineInput,
): Promise<PipelineWorker | undefined> {
  const { invocation, sessionId, say } = input;
  // Before any settings are read that should not count.
  if (invocation.bare || !invocation.memory) return undefined;
  const project = await openProject(invocation);
  const off = whyOff(project);
  if (off?.kind === "switched-off") {
    const text = `memory: not learning from past sessions: ${terminalSafeLine(off.message)} (/memory stats)`;
    say({ tone: "plain", text });
  }
  if (off !== undefined) return undefined;
  const job = planJob({ project, trigger: "start", running: [sessionId] });
  const reported = new Set<string>();
  const onEvent = reportNotices({ say, reported, command: invocation.host.command });
  const worker = startWorker({ job, isAwaited: false, onEvent });
  void reportEnd(worker, say, reported);
  return worker;
}

/** More would be a report, and that is what `memory stats` is for. */
const MAX_NOTICES = 2;

function reportNotices(input: {
  readonly say: StartPipelineInput["say"];
  readonly reported: Set<string>;
  readonly command: SpellCommand;
}): (event: PipelineEvent) => void {
  const { say, reported, command } = input;
  return (event) => {
    if (event.type !== "notice") return;
    const message = spellCommands(event.notice, command);
    if (reported.has(message) || reported.size === MAX_NOTICES) return;
    reported.add(message);
    say({ tone: "plain", text: `memory: ${terminalSafeLine(message)}` });
  };
}

async function reportEnd(
  { end }: PipelineWorker,
  say: StartPipelineInput["say"],
  reported: ReadonlySet<string>,
): Promise<void> {
  const line = startLine(await end, reported);
  if (line !== undefined) say(line);
}
