import { renderReceipt } from "@caliban/memory";
import { diagnoseTopics, findClaudeMemory } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import type { Project } from "../../project/project.ts";
import { formatCount } from "../format-count.ts";
import { isUsageError } from "../../usage-error.ts";
import { openTopics } from "../memory/topics/open-topics.ts";
import { orphanedRules } from "../memory/topics/orphaned-rules.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { checkStore } from "./check-store.ts";

/**
 * Checks what the prompt contains of memory, and whether the topics are valid.
 * @throws MemoryError when no home directory is known
 */
export async function checkMemory(
  invocation: Invocation,
  project: Project,
): Promise<readonly Check[]> {
  const tiers = await checkTiers(invocation, project);
  const store = await checkStore(invocation, project);
  if (store.some(({ status }) => status === "problem")) return [tiers, ...store];
  return [
    tiers,
    ...store,
    await checkTopics(invocation, project),
    ...(await checkEnforced(invocation)),
    ...(await checkClaudeCode(invocation, project)),
  ];
}

async function checkTiers({ host }: Invocation, project: Project): Promise<Check> {
  const { receipt } = await project.memory();
  const loadedCount = receipt.entries.filter(({ tokens }) => tokens > 0).length;
  const [total, ceiling] = [receipt.totalTokens, receipt.ceilingTokens].map((count) =>
    count.toLocaleString("en-US"),
  );
  const message = `${formatCount(loadedCount, "file")} in the prompt, ${total} of ${ceiling} tokens`;
  const start = renderReceipt({ receipt, view: "problems", command: host.command }).trim();
  return start === "" ? ok("memory", message) : note("memory", `${message}. ${start}`);
}

async function checkTopics(invocation: Invocation, { settings }: Project): Promise<Check> {
  if (!settings.values["memory.auto"]) return note("topics", "auto-memory is turned off");
  const topics = await openTopics(invocation);
  const findings = await diagnoseTopics(topics);
  const isShared = settings.values["memory.directory"] === "claude";
  const where = `${topics.where}${isShared ? " (shared with Claude Code)" : ""}`;
  if (findings.length === 0) return ok("topics", `no problems in ${where}`);
  const message = `${formatCount(findings.length, "problem")} in ${where}`;
  return problem("topics", message, invocation.host.command("memory doctor"));
}

/** Reports a damaged file of enforced rules, without which nothing runs, and rules that lost their topic. */
async function checkEnforced(invocation: Invocation): Promise<readonly Check[]> {
  const { host } = invocation;
  try {
    const lines = await orphanedRules(await openTopics(invocation), host);
    return lines.map((line) => note("enforced", line));
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return [problem("enforced", error.message, "Fix this line; caliban cannot start until then.")];
  }
}

/** Mentions memory in Claude Code as long as it was not imported. */
async function checkClaudeCode(
  invocation: Invocation,
  { settings }: Project,
): Promise<readonly Check[]> {
  if (!settings.values["memory.auto"]) return [];
  const { store, locations, projectPath, displayPath } = await openTopics(invocation);
  const { globalFile } = locations;
  const { topicCount, instructions } = findClaudeMemory({
    ...invocation.host,
    projectPath,
    globalFile,
  });
  const isEmpty = (await store.list()).topics.length === 0;
  const count = isEmpty ? topicCount : 0;
  const found = [
    ...(count === 0 ? [] : [`${formatCount(count, "topic")} about this project`]),
    ...(instructions === undefined ? [] : [`your instructions in ${displayPath(instructions)}`]),
  ];
  if (found.length === 0) return [];
  return [
    note(
      "import",
      `Claude Code has ${found.join(" and ")}`,
      invocation.host.command("memory import"),
    ),
  ];
}
