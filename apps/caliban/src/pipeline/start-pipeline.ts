import type { PipelineEvent } from "@caliban/autonomous-memory";
import { terminalSafeLine } from "@caliban/common";
import type { Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { planJob } from "./plan-job.ts";
import { type PipelineLine, startLine } from "./start-lines.ts";
import { type PipelineWorker, startWorker } from "./start-worker.ts";
import { whyOff } from "./why-off.ts";

export interface StartPipelineInput {
  readonly invocation: Invocation;
  /** The session that is going on. */
  readonly sessionId: string;
  readonly say: (line: PipelineLine) => void;
}

/** Learns from past sessions in the background of a conversation, where the person wants that. Never fails. */
export async function startPipeline(
  input: StartPipelineInput,
): Promise<PipelineWorker | undefined> {
  const { invocation, sessionId, say } = input;
  // Nothing is read from settings that are not to count.
  if (invocation.bare || !invocation.memory) return undefined;
  const project = await openProject(invocation);
  const off = whyOff(project);
  if (off?.kind === "switched-off") {
    const text = `memory: past sessions are not read, because ${terminalSafeLine(off.sentence)} (caliban memory stats)`;
    say({ tone: "plain", text });
  }
  if (off !== undefined) return undefined;
  const job = planJob({ project, trigger: "start", running: [sessionId] });
  const told = new Set<string>();
  const worker = startWorker({ job, isAwaited: false, onEvent: tellNotices(say, told) });
  void tellEnd(worker, say, told);
  return worker;
}

/** More would be a report; `memory stats` is one. */
const MOST_NOTICES = 2;

function tellNotices(
  say: StartPipelineInput["say"],
  told: Set<string>,
): (event: PipelineEvent) => void {
  return (event) => {
    if (event.type !== "notice" || told.has(event.sentence) || told.size === MOST_NOTICES) return;
    told.add(event.sentence);
    say({ tone: "plain", text: `memory: ${terminalSafeLine(event.sentence)}` });
  };
}

async function tellEnd(
  { end }: PipelineWorker,
  say: StartPipelineInput["say"],
  told: ReadonlySet<string>,
): Promise<void> {
  const line = startLine(await end, told);
  if (line !== undefined) say(line);
}
