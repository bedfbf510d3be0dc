import { findSecrets } from "@caliban/common/secrets";
import { CLAUDE_DIRECTORY, renderStartLine } from "@caliban/memory";
import { claudeMemoryDirectory, diagnoseDirectory } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import type { Project } from "../../project/project.ts";
import { claudeInstructions, countTopics } from "../memory/exchange/claude-hint.ts";
import { draftsDirectory } from "../memory/topics/edit/drafts.ts";
import { openTopics } from "../memory/topics/open-topics.ts";
import { type Check, note, ok, problem } from "./check.ts";

/**
 * What of memory reaches a prompt here, and whether the topics are whole.
 * @throws MemoryError when no home is known
 */
export async function checkMemory(
  invocation: Invocation,
  project: Project,
): Promise<readonly Check[]> {
  return [
    await checkTiers(project),
    await checkTopics(invocation, project),
    ...(await checkClaudeCode(invocation, project)),
  ];
}

async function checkTiers(project: Project): Promise<Check> {
  const { receipt } = await project.memory();
  const loaded = receipt.entries.filter(({ tokens }) => tokens > 0).length;
  const { totalTokens, ceilingTokens } = receipt;
  const files = loaded === 1 ? "1 file" : `${loaded} files`;
  const sentence = `${files} in the prompt, ${grouped(totalTokens)} of ${grouped(ceilingTokens)} tokens.`;
  const start = renderStartLine(receipt, "caliban memory explain").trim();
  return start === "" ? ok("memory", sentence) : note("memory", `${sentence} ${start}`);
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

async function checkTopics(invocation: Invocation, { settings }: Project): Promise<Check> {
  if (!settings.values["memory.auto"]) return note("topics", "Auto-memory is turned off.");
  const topics = await openTopics(invocation);
  const { store, directory, shown } = topics;
  const findings = await diagnoseDirectory({
    store,
    directory,
    draftsDirectory: draftsDirectory(topics),
    findSecrets,
  });
  const isShared = settings.values["memory.directory"] === CLAUDE_DIRECTORY;
  const place = `${shown(directory)}${isShared ? ", which is Claude Code's, too" : ""}`;
  if (findings.length === 0) return ok("topics", `Nothing is wrong in ${place}.`);
  const number = findings.length === 1 ? "One thing is" : `${findings.length} things are`;
  return problem("topics", `${number} wrong in ${place}.`, "caliban memory doctor");
}

/** What the person has elsewhere is worth a word while it is not here. */
async function checkClaudeCode(
  invocation: Invocation,
  { settings }: Project,
): Promise<readonly Check[]> {
  if (!settings.values["memory.auto"]) return [];
  const { host } = invocation;
  const { store, locations, projectPath, shown } = await openTopics(invocation);
  const directory = claudeMemoryDirectory(host, projectPath);
  const isEmpty = (await store.list()).topics.length === 0;
  const instructions = claudeInstructions(host, locations.globalFile);
  const sentence = claudeSentence(
    isEmpty && directory !== undefined ? countTopics(directory) : 0,
    instructions && shown(instructions),
  );
  return sentence === undefined ? [] : [note("import", sentence, "caliban memory import")];
}

function claudeSentence(count: number, instructions: string | undefined): string | undefined {
  const notes = count === 1 ? "1 note" : `${count} notes`;
  if (instructions === undefined)
    return count === 0 ? undefined : `Claude Code keeps ${notes} about this project.`;
  const yours = `your instructions in ${instructions}`;
  return count === 0
    ? `Claude Code follows ${yours}.`
    : `Claude Code keeps ${notes} about this project, and follows ${yours}.`;
}
