import { terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { backtest, type BacktestHit, type BacktestReport } from "../../../enforced/backtest.ts";
import { applicableEntries, readEnforced } from "../../../enforced/enforced-store.ts";
import type { Host } from "../../../host.ts";
import type { Project } from "../../../project/project.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { renderRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { openTopics } from "../topics/open-topics.ts";
import { findTopicName } from "../topics/find-topic-name.ts";
import { topicNotFound } from "../topics/topic-output.ts";
import {
  draftedRules,
  type RequestedRule,
  requestedRules,
  toEnforcedRule,
} from "./requested-rules.ts";

/**
 * `caliban memory backtest SLUG`: shows where rules would have matched in the stored sessions. Without rules, those that
 * are enforced for the topic count, or what it says that it applies to.
 */
export async function backtestMemory(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const topics = await openTopics(invocation);
  const { store, project, warnings } = topics;
  const topic = await store.read(await findTopicName(invocation, topics, name));
  const requested = requestedRules(invocation);
  const stored = applicableEntries(project, readEnforced(project).entries).filter(
    ({ memory }) => memory === (topic?.slug ?? name),
  );
  const own = stored.length > 0 || topic === undefined ? stored : draftedRules(topic);
  const rules = requested.length > 0 ? requested : own;
  if (topic === undefined && rules.length === 0)
    return await topicNotFound(invocation, name, topics);
  if (rules.length === 0)
    throw new UsageError("no rule to test: name one, such as --deny 'Bash(npm *)'");
  const report = await backtestRules(project, rules);
  return output(invocation, {
    data: { slug: topic?.slug ?? name, ...backtestJson(report, rules) },
    text: renderBacktest(report, rules, invocation.host),
    stderr: warnings,
  });
}

/** Replays rules over the sessions of a project. */
export async function backtestRules(
  project: Project,
  rules: readonly RequestedRule[],
): Promise<BacktestReport> {
  const sessions = await project.sessions();
  if (sessions === undefined) return { sessions: 0, unreadable: 0, calls: 0, matched: 0, hits: [] };
  return await backtest({
    directory: sessions.directory,
    root: project.workspace.root,
    rules: rules.map((rule) => toEnforcedRule(rule)),
  });
}

export function backtestJson(report: BacktestReport, rules: readonly RequestedRule[]): object {
  const hits = report.hits.map(({ atMs, ...hit }) => ({ ...hit, date: dateOf(atMs) }));
  const counted = rules.map(({ effect, rule }) => ({ effect, rule, count: countOf(report, rule) }));
  return { ...report, rules: counted, hits };
}

const MAX_SHOWN = 20;

export function renderBacktest(
  report: BacktestReport,
  rules: readonly RequestedRule[],
  host: Host,
): string {
  const { sessions, calls, matched, hits, unreadable } = report;
  const texts = rules.map(({ rule }) => terminalSafeLine(rule)).join(", ");
  const skipped = unreadable === 0 ? "" : ` (${formatCount(unreadable, "file")} cannot be read)`;
  const past = `${formatCount(calls, "call")} of ${formatCount(sessions, "past session")}${skipped}`;
  if (matched === 0) return `${texts} would have matched none of ${past}\n`;
  const shown = hits.slice(0, MAX_SHOWN);
  const more = hits.length - shown.length;
  return [
    `${texts} would have matched ${matched} of ${past}:\n`,
    renderRows(shown.map(hitRow), host),
    more === 0 ? "" : `  and ${more} more; list them with --json\n`,
  ].join("");
}

function hitRow({ count, atMs, session, tool, subject }: BacktestHit): readonly string[] {
  const line = terminalSafeLine(subject.replaceAll(/\s*\n\s*/g, " ⏎ "));
  const short = line.length <= MAX_SUBJECT ? line : `${line.slice(0, MAX_SUBJECT - 1)}…`;
  return [`${count}x`, dateOf(atMs), session, tool, short];
}

const MAX_SUBJECT = 100;

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function countOf({ hits }: BacktestReport, text: string): number {
  return hits.filter(({ rule }) => rule === text).reduce((sum, { count }) => sum + count, 0);
}
