import { join } from "node:path";
import { terminalSafe, terminalSafeLine } from "@caliban/common";
import {
  formatAge,
  formatAgeWithWarning,
  type StoredTopic,
  type TopicList,
  type TopicSummary,
} from "@caliban/memory";
import { createStyle, type Style } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import type { EnforcedEntry } from "../../../enforced/enforced-file.ts";
import { applicableEntries, readEnforced } from "../../../enforced/enforced-store.ts";
import { EXIT } from "../../../exit-code.ts";
import { hasTeams } from "../../../project/has-teams.ts";
import type { Project } from "../../../project/project.ts";
import { openTeamScope } from "../../../project/team-scope.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { topicUses } from "../uses.ts";
import { findTopicName } from "./find-topic-name.ts";
import { isUserScope, openTopics } from "./open-topics.ts";
import { parsedTopicJson, topicListJson, topicNotFound } from "./topic-output.ts";

/** `caliban memory list`: one line per topic, newest first. */
export async function listTopics(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const { store, directory, where, warnings, project } = await openTopics(invocation);
  const list = await store.list();
  const nowMs = host.now();
  const enforced = applicableEntries(project, readEnforced(project).entries);
  const rows = renderNamedRows(
    list.topics.map((topic) => topicRow(topic, nowMs, rulesOf(enforced, topic))),
    host,
  );
  const useOf = await topicUses(project, isUserScope(invocation) ? "user" : "project");
  const marksOf = (topic: TopicSummary): object => {
    const rules = rulesOf(enforced, topic);
    return { ...useOf(topic.slug), ...(rules.length === 0 ? {} : { enforced: rules }) };
  };
  const team = isUserScope(invocation) ? undefined : await teamList(invocation, project, list);
  return output(invocation, {
    data: { directory, ...topicListJson(list, marksOf), ...team?.data },
    text: `${rows.length === 0 ? `no topics yet in ${where}\n` : rows.join("")}${team?.text ?? ""}`,
    stderr: [...warnings, ...list.problems.map(({ message }) => message)],
  });
}

/** What the team shares, below the project's own topics. */
async function teamList(
  invocation: Invocation,
  project: Project,
  { topics }: TopicList,
): Promise<{ readonly data: object; readonly text: string } | undefined> {
  if (!hasTeams(project)) return undefined;
  const { listTeamTopics } = await import("./team-rows.ts");
  const { json, text } = await listTeamTopics(invocation, project, topics);
  return json.length === 0 ? undefined : { data: { team: json }, text };
}

function topicRow(
  { slug, type, updatedMs, description }: TopicSummary,
  nowMs: number,
  rules: readonly string[],
): readonly string[] {
  const about = description === "" ? "(no description)" : terminalSafeLine(description);
  const mark = rules.length === 0 ? "" : ` [enforced: ${rules.map(terminalSafeLine).join(", ")}]`;
  return [terminalSafeLine(slug), type ?? "untyped", formatAge(updatedMs, nowMs), about + mark];
}

/** The enforced rules of a topic: `deny Bash(npm *)`. */
function rulesOf(
  entries: readonly EnforcedEntry[],
  { slug }: Pick<TopicSummary, "slug">,
): readonly string[] {
  return entries
    .filter(({ memory }) => memory === slug)
    .map(({ effect, rule }) => `${effect} ${rule}`);
}

/** `caliban memory show SLUG`: the whole topic, with control characters escaped. */
export async function showTopic(invocation: Invocation): Promise<CommandResult> {
  const [typed = ""] = invocation.operands;
  const { host } = invocation;
  const topics = await openTopics(invocation);
  const { store, project, warnings } = topics;
  const name = await findTopicName(invocation, topics, typed);
  const found =
    (await store.read(name)) ??
    (isUserScope(invocation) ? undefined : await openTeamScope(project)?.read(name));
  if (found === undefined) return await topicNotFound(invocation, name, topics);
  const { slug, hash, text, topic, updatedMs } = found;
  const updated = new Date(updatedMs).toISOString();
  const enforced = rulesOf(applicableEntries(project, readEnforced(project).entries), found);
  const marks = enforced.length === 0 ? {} : { enforced };
  return output(invocation, {
    data: { slug, hash, ...parsedTopicJson(topic), updated, text, ...marks },
    text: renderTopic(found, {
      nowMs: host.now(),
      style: createStyle(host.hasColor("stdout")),
      enforced,
    }),
    stderr: warnings,
  });
}

interface TopicView {
  readonly nowMs: number;
  readonly style: Style;
  readonly enforced: readonly string[];
}

function renderTopic(
  { slug, hash, topic, updatedMs }: StoredTopic,
  { nowMs, style, enforced }: TopicView,
): string {
  const { type, description, body, session, after = [], problems, author } = topic;
  const age = formatAgeWithWarning(updatedMs, nowMs);
  const lines = [
    `${style.heading(terminalSafeLine(slug))} (${type ?? "untyped"}), written ${age}, hash ${hash}`,
    ...(author === undefined ? [] : [`shared by ${terminalSafeLine(author)}`]),
    ...(description === "" ? [] : [terminalSafeLine(description)]),
    ...(enforced.length === 0 ? [] : [`enforced: ${terminalSafeLine(enforced.join(", "))}`]),
    ...(session === undefined ? [] : [`session: ${terminalSafeLine(session)}`]),
    ...(after.length === 0 ? [] : [`written after using: ${terminalSafeLine(after.join(", "))}`]),
    ...fieldLines(topic),
    ...problems.map(({ line, message }) =>
      style.bad(`problem in line ${line}: ${terminalSafeLine(message)}`),
    ),
  ];
  return `${lines.join("\n")}\n\n${terminalSafe(body)}\n`;
}

function fieldLines({
  applies,
  supersedes = [],
  evidence = [],
  expect = [],
  origin,
}: StoredTopic["topic"]): readonly string[] {
  const lists = {
    "applies to paths": applies?.paths ?? [],
    "applies to commands": applies?.commands ?? [],
    supersedes,
    evidence: evidence.map(({ path, snippet }) => `${path}: ${snippet}`),
    expect,
    origin: origin === undefined ? [] : [origin],
  };
  return Object.entries(lists)
    .filter(([, texts]) => texts.length > 0)
    .map(([label, texts]) => `${label}: ${terminalSafeLine(texts.join(", "))}`);
}

/** `caliban memory path [SLUG]`: for scripts, so the path is unchanged unless it is printed to a terminal. */
export async function showPath(invocation: Invocation): Promise<CommandResult> {
  const [typed] = invocation.operands;
  const topics = await openTopics(invocation);
  const { store, directory, historyDirectory, warnings } = topics;
  if (directory === undefined) {
    const { command } = invocation.host;
    throw new UsageError(
      `topics are in PostgreSQL and have no path; use: ${command("memory show <slug>")}, or: ${command("memory export --to claude --output <directory>")}`,
    );
  }
  const name = typed === undefined ? undefined : await findTopicName(invocation, topics, typed);
  const found = name === undefined ? undefined : await store.read(name);
  if (name !== undefined && found === undefined)
    return await topicNotFound(invocation, name, topics);
  const data =
    found === undefined
      ? { path: directory, historyDirectory }
      : { path: join(directory, `${found.slug}.md`) };
  const line = invocation.host.isTerminal ? terminalSafeLine(data.path) : data.path;
  return output(invocation, { data, text: `${line}\n`, stderr: warnings });
}

/** `caliban memory read URL`: what the agent gets for a `memory://` address. */
export async function readMemoryUrl(invocation: Invocation): Promise<CommandResult> {
  const [url = ""] = invocation.operands;
  const { store, locations, project, warnings } = await openTopics({ ...invocation, options: {} });
  // The other commands do not need it.
  const [{ createMemoryResolver }, { memoryAddresses }] = await Promise.all([
    import("@caliban/tools-builtin"),
    import("../../../project/memory-addresses.ts"),
  ]);
  const { command } = invocation.host;
  const addresses = memoryAddresses({ project, projectHome: locations.projectHome, command });
  const { store: userTopics } = await project.userTopics();
  const resolve = createMemoryResolver({
    ...addresses,
    topics: store,
    userTopics,
    teamTopics: openTeamScope(project),
  });
  const resolved = await resolve(isUserScope(invocation) ? toUserAddress(url) : url);
  if ("problem" in resolved) {
    const stderr = [...warnings, resolved.problem];
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  const { text } = resolved;
  return output(invocation, { data: { url, text }, text: terminalSafe(text), stderr: warnings });
}

/** With `--user`, the addresses of topics are those of the user. */
function toUserAddress(url: string): string {
  return url.replace(/^memory:\/\/(?=index$|topics(?:\/|$))/, "memory://user/");
}
