import { spellCommands, terminalSafe, terminalSafeJson } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { ProjectMemory } from "../../../project/load-memory.ts";
import { type OpenLearned, openLearned } from "./open-learned.ts";

/** `caliban memory view`: learned memory exactly as a new session gets it. */
export async function viewLearned(invocation: Invocation): Promise<CommandResult> {
  const learned = await openLearned(invocation);
  const memory = await learned.project.memory();
  const block = injectedBlock(memory);
  const remark = findRemark(learned, memory.receipt, block);
  if (invocation.json) {
    const { tokens = 0, status = "missing" } = learnedEntry(memory.receipt) ?? {};
    const report = { block: block ?? "", tokens, status, remark: remark ?? "" };
    return done(`${terminalSafeJson(report)}\n`, learned.warnings);
  }
  const stdout = block === undefined ? "" : `${formatBlock(invocation, block)}\n`;
  return done(stdout, remark === undefined ? learned.warnings : [...learned.warnings, remark]);
}

function done(stdout: string, stderr: readonly string[]): CommandResult {
  return { stdout, stderr, exitCode: EXIT.done };
}

function formatBlock({ host }: Invocation, text: string): string {
  return host.isTerminal ? terminalSafe(text) : text;
}

const BLOCK = /<memory-guidance [^]*<\/memory-guidance>/;

/** Taken from the prompt itself, to be exact: no text in the block can close it. */
function injectedBlock({ prefix }: Pick<ProjectMemory, "prefix">): string | undefined {
  return BLOCK.exec(prefix)?.[0];
}

function learnedEntry({ entries }: Receipt): Receipt["entries"][number] | undefined {
  return entries.find(({ tier }) => tier === "extra");
}

/** What the block alone does not show: that it is truncated, or why there is none. */
function findRemark(
  { off, project: { host } }: OpenLearned,
  receipt: Receipt,
  block: string | undefined,
): string | undefined {
  const { command } = host;
  if (off !== undefined) return `learned memory is not in the prompt: ${off.message}`;
  const problem = receipt.notices.find(({ code }) => code === "LEARNED_NOT_USED");
  if (problem !== undefined) return spellCommands(problem, command);
  const status = learnedEntry(receipt)?.status;
  if (block === undefined && status !== "skipped")
    return `nothing has been learned yet; learning starts with the next conversation on a terminal. To start now: ${command("memory rebuild --now")}`;
  if (block === undefined)
    return `learned memory is not in the prompt: the other tiers fill memory.cap_tokens_combined (${command("memory explain")})`;
  if (status !== "truncated") return undefined;
  return `truncated: the other tiers leave no more space below memory.cap_tokens_combined. To print all of it: ${command("memory read memory://root")}`;
}
