import { spellCommands, terminalSafe, terminalSafeJson } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { type OpenLearned, openLearned } from "./open-learned.ts";

/** `caliban memory view`: learned memory exactly as a new session gets it. */
export async function viewLearned(invocation: Invocation): Promise<CommandResult> {
  const { host, json } = invocation;
  const learned = await openLearned(invocation);
  const { prefix, receipt } = await learned.project.memory();
  // Taken from the prompt itself, to be exact: no text in the block can close it.
  const block = BLOCK.exec(prefix)?.[0] ?? "";
  const entry = receipt.entries.find(({ tier }) => tier === "extra");
  const { tokens = 0, status = "missing" } = entry ?? {};
  const remark = (await findRemark(learned, receipt, { block, status })) ?? "";
  const text = block === "" ? "" : `${host.isTerminal ? terminalSafe(block) : block}\n`;
  return {
    stdout: json ? `${terminalSafeJson({ block, tokens, status, remark })}\n` : text,
    stderr: json || remark === "" ? learned.warnings : [...learned.warnings, remark],
    exitCode: EXIT.done,
  };
}

/** Why the block is older than the last run. */
async function rejection({ location, formatPath }: OpenLearned): Promise<string | undefined> {
  const { readRejected } = await import("@caliban/autonomous-memory/node");
  const rejected = readRejected(location.directory);
  if (rejected === undefined) return undefined;
  return `a newer generation ${rejected.number} was rejected, because it finds less: ${formatPath(rejected.path)}`;
}

const BLOCK = /<memory-guidance [^]*<\/memory-guidance>/;

/** What the block alone does not show: that it is truncated, or why there is none. */
async function findRemark(
  learned: OpenLearned,
  { notices }: Receipt,
  { block, status }: { readonly block: string; readonly status: string },
): Promise<string | undefined> {
  const { off, project } = learned;
  const { host } = project;
  const { command } = host;
  if (off !== undefined) return `learned memory is not in the prompt: ${off.message}`;
  const problem = notices.find(({ code }) => code === "LEARNED_NOT_USED");
  if (problem !== undefined) return spellCommands(problem, command);
  if (block === "" && status !== "skipped")
    return `nothing has been learned yet; learning starts with the next conversation on a terminal. To start now: ${command("memory rebuild --now")}`;
  if (block === "")
    return `learned memory is not in the prompt: the other tiers fill memory.cap_tokens_combined (${command("memory explain")})`;
  if (status !== "truncated") return await rejection(learned);
  return `truncated: the other tiers leave no more space below memory.cap_tokens_combined. To print all of it: ${command("memory read memory://root")}`;
}
