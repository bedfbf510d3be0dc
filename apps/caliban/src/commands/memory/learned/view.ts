import { terminalSafe, terminalSafeJson } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import type { ProjectMemory } from "../../../project/load-memory.ts";
import { EXIT } from "../../../exit-code.ts";
import { type OpenPipeline, openPipeline } from "./open-pipeline.ts";

/** `caliban memory view`: the block about past sessions, as a new session gets it. */
export async function viewLearned(invocation: Invocation): Promise<CommandResult> {
  const pipeline = await openPipeline(invocation);
  const memory = await pipeline.project.memory();
  const block = injectedBlock(memory);
  const sentence = remark(pipeline, memory.receipt, block);
  if (invocation.json) {
    const { tokens = 0, status = "missing" } = learnedEntry(memory.receipt) ?? {};
    const report = { block: block ?? "", tokens, status, remark: sentence ?? "" };
    return done(`${terminalSafeJson(report)}\n`, pipeline.warnings);
  }
  const stdout = block === undefined ? "" : `${shownText(invocation, block)}\n`;
  const said = sentence === undefined ? "" : `caliban: ${sentence}\n`;
  return done(stdout, pipeline.warnings + said);
}

function done(stdout: string, stderr: string): CommandResult {
  return { stdout, stderr, exitCode: EXIT.done };
}

function shownText({ host }: Invocation, text: string): string {
  return host.isTerminal ? terminalSafe(text) : text;
}

const BLOCK = /<memory-guidance [^]*<\/memory-guidance>/;

/** Taken from the prompt itself: no text in the block can close it. */
function injectedBlock({ prefix }: Pick<ProjectMemory, "prefix">): string | undefined {
  return BLOCK.exec(prefix)?.[0];
}

function learnedEntry({ entries }: Receipt): Receipt["entries"][number] | undefined {
  return entries.find(({ tier }) => tier === "extra");
}

/** What the block alone does not tell: that it is cut, or why there is none. */
function remark(
  { off }: OpenPipeline,
  receipt: Receipt,
  block: string | undefined,
): string | undefined {
  if (off !== undefined) return `nothing learned is in the prompt: ${off.sentence}`;
  const problem = receipt.notices.find(({ code }) => code === "LEARNED_NOT_USED");
  if (problem !== undefined) return problem.message;
  const status = learnedEntry(receipt)?.status;
  if (block === undefined) return status === "skipped" ? SHED : NOTHING_YET;
  return status === "truncated" ? CUT : undefined;
}

const NOTHING_YET =
  "nothing was learned yet; it begins with the next conversation on a terminal, or now with `caliban memory rebuild --now`";
const SHED =
  "nothing learned is in the prompt: the other tiers fill memory.cap_tokens_combined (`caliban memory explain`)";
const CUT =
  "this is not all of it: the other tiers leave no more room below memory.cap_tokens_combined; `caliban memory read memory://root` prints all";
