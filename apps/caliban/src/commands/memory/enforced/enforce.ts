import { terminalSafeLine } from "@caliban/common";
import { isMemoryError, type StoredTopic } from "@caliban/memory";
import { resolveProjectPath } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { addEnforced, removeEnforced } from "../../../enforced/change-enforced.ts";
import type { EnforcedEntry } from "../../../enforced/enforced-file.ts";
import { applicableEntries, readEnforced } from "../../../enforced/enforced-store.ts";
import { EXIT } from "../../../exit-code.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { type OpenTopics, openTopics } from "../topics/open-topics.ts";
import { findTopicName } from "../topics/find-topic-name.ts";
import { topicNotFound } from "../topics/topic-output.ts";
import { backtestJson, backtestRules, renderBacktest } from "./backtest.ts";
import { reasonOf, type RequestedRule, requestedRules, unknownNames } from "./requested-rules.ts";

/**
 * `caliban memory enforce`: turns a topic into rules that nothing but the user lifts. Works without a terminal only with
 * `--yes`, and also while auto-memory is off: the rules do not depend on memory.
 */
export async function enforceTopic(invocation: Invocation): Promise<CommandResult> {
  const [name] = invocation.operands;
  const rules = requestedRules(invocation);
  const isOff = invocation.options["off"] === true;
  if (name === undefined) {
    if (isOff || rules.length > 0)
      throw new UsageError(`name the topic: ${invocation.host.command(USAGE)}`);
    return await listEnforced(invocation);
  }
  if (isOff) return await lift(invocation, name, rules);
  if (rules.length === 0) throw new UsageError(`name a rule: ${invocation.host.command(USAGE)}`);
  return await enforce(invocation, name, rules);
}

const USAGE = "memory enforce <slug> --deny 'Bash(npm *)'";

async function listEnforced(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const topics = await openTopics(invocation);
  const entries = applicableEntries(topics.project, readEnforced(topics.project).entries);
  const slugs = await slugsOf(topics.project);
  const rows = entries.map((entry) => {
    const gone = slugs.has(entry.memory) ? "" : " (the topic is gone)";
    const where = entry.project === undefined ? "every project" : "this project";
    const reason = terminalSafeLine(entry.reason) + gone;
    return [
      terminalSafeLine(entry.memory),
      entry.effect,
      terminalSafeLine(entry.rule),
      where,
      reason,
    ];
  });
  return output(invocation, {
    data: {
      rules: entries.map((entry) =>
        Object.assign(entryJson(entry), { hasTopic: slugs.has(entry.memory) }),
      ),
    },
    text: rows.length === 0 ? "no enforced rules\n" : renderNamedRows(rows, host).join(""),
    stderr: topics.warnings,
  });
}

/** Names of topics, or every name if a store cannot be read: a rule must not look orphaned because of that. */
async function slugsOf(project: Project): Promise<Pick<ReadonlySet<string>, "has">> {
  try {
    const opened = await Promise.all([project.topics(), project.userTopics()]);
    const lists = await Promise.all(opened.map(async ({ store }) => await store.list()));
    return new Set(lists.flatMap(({ topics }) => topics.map(({ slug }) => slug)));
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return { has: () => true };
  }
}

async function enforce(
  invocation: Invocation,
  name: string,
  rules: readonly RequestedRule[],
): Promise<CommandResult> {
  const topics = await openTopics(invocation);
  const { project, store, warnings } = topics;
  // A rule for every project may come from a topic of this one.
  const own = await findTopicName(invocation, topics, name);
  const topic = (await store.read(own)) ?? (await (await project.topics()).store.read(name));
  if (topic === undefined) return await topicNotFound(invocation, name, topics);
  const entries = rules.map((rule) => toEntry({ invocation, topics, topic, rule }));
  const report = await backtestRules(project, rules);
  const tested = renderBacktest(report, rules, invocation.host);
  const isShown = invocation.options["yes"] !== true;
  if (isShown) invocation.host.stderr(tested);
  if (!(await isConfirmed(invocation, `Enforce ${describe(entries)}?`))) return declined();
  await addEnforced(project, entries);
  return output(invocation, {
    data: { enforced: entries.map(entryJson), backtest: backtestJson(report, rules) },
    text: `${isShown ? "" : tested}enforced ${terminalSafeLine(topic.slug)}: ${describe(entries)}\n`,
    stderr: [...warnings, ...unknownNames(rules).map(({ message }) => `warning: ${message}`)],
  });
}

interface NewEntry {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly topic: StoredTopic;
  readonly rule: RequestedRule;
}

function toEntry({ invocation, topics, topic, rule }: NewEntry): EnforcedEntry {
  const isUserWide = invocation.options["user"] === true;
  return {
    ...rule,
    memory: topic.slug,
    reason: reasonOf(topic),
    project: isUserWide ? undefined : resolveProjectPath(topics.project.workspace).path,
    created: new Date(invocation.host.now()).toISOString(),
  };
}

/** Does not need the topic, which may be gone. */
async function lift(
  invocation: Invocation,
  name: string,
  rules: readonly RequestedRule[],
): Promise<CommandResult> {
  const project = await openProject(invocation);
  const { path } = resolveProjectPath(project.workspace);
  const scope = invocation.options["user"] === true ? undefined : path;
  const isLifted = (entry: EnforcedEntry): boolean =>
    entry.memory === name &&
    entry.project === scope &&
    (rules.length === 0 ||
      rules.some(({ effect, rule }) => effect === entry.effect && rule === entry.rule));
  const found = readEnforced(project).entries.filter(isLifted);
  if (found.length === 0) {
    const hint = `List all rules with: ${invocation.host.command("memory enforce")}`;
    const stderr = [`no such rule of ${JSON.stringify(name)}. ${hint}`];
    return output(invocation, {
      data: { lifted: [] },
      text: "",
      stderr,
      exitCode: EXIT.nothingFound,
    });
  }
  if (!(await isConfirmed(invocation, `Lift ${describe(found)}?`))) return declined();
  const lifted = await removeEnforced(project, isLifted);
  return output(invocation, {
    data: { lifted: lifted.map(entryJson) },
    text: `lifted ${formatCount(lifted.length, "rule")} of ${terminalSafeLine(name)}: ${describe(lifted)}\n`,
  });
}

function describe(entries: readonly EnforcedEntry[]): string {
  return entries.map(({ effect, rule }) => `${effect} ${terminalSafeLine(rule)}`).join(", ");
}

async function isConfirmed({ host, options }: Invocation, question: string): Promise<boolean> {
  if (options["yes"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("enforce asks for confirmation, and stdin is not a terminal; pass --yes");
  return await host.confirm(question);
}

function declined(): CommandResult {
  return { stdout: "", stderr: ["nothing was changed"], exitCode: EXIT.failed };
}

function entryJson({ memory, project, ...entry }: EnforcedEntry): object {
  const scope = project === undefined ? "user" : "project";
  return { slug: memory, ...entry, scope, ...(project === undefined ? {} : { project }) };
}
