import { terminalSafeLine } from "@caliban/common";
import { isMemoryError, type StoredTopic } from "@caliban/memory";
import type { Forgotten } from "@caliban/memory/forgotten";
import { searchTerms } from "@caliban/memory/search";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openProjectSearch } from "../../../project/search.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { output } from "../output.ts";
import { findTraces, type Traces } from "./find-traces.ts";
import { forgetSubject } from "./forget-subject.ts";
import { type OpenTopics, openTombstones, openTopicsForWriting, USER } from "./open-topics.ts";

/**
 * `caliban memory forget TEXT…`: finds the topic that is meant, shows it, asks, and removes it. What learned memory and past
 * sessions say of it is kept from coming back.
 */
export async function forgetMemory(invocation: Invocation): Promise<CommandResult> {
  const text = forgetSubject(invocation.operands.join(" "));
  if (text === "") throw new UsageError('say what to forget: memory forget "pnpm ship"');
  const topics = await openTopicsForWriting(invocation);
  const job: ForgetJob = { invocation, topics, text };
  const { found, isCertain } = await findTopics(job);
  // What only resembles the text is never removed without being shown.
  if (found.length > 1 || (!isCertain && invocation.options["yes"] === true)) {
    return severalTopics(job, found);
  }
  const forgotten = await openTombstones(topics);
  const traces = await tracesOf(job);
  const [topic] = found;
  if (topic === undefined && isEmpty(traces)) return nothingFound(job);
  if (!(await isConfirmed(job, { topic, traces })))
    return { stdout: "", stderr: ["nothing was forgotten"], exitCode: EXIT.failed };
  return await forget(job, { topic, traces, forgotten });
}

interface ForgetJob {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly text: string;
}

interface FoundTopics {
  readonly found: readonly StoredTopic[];
  /** Whether they have all the words. */
  readonly isCertain: boolean;
}

/** The topic with that name, the topics that have all the words, or the ones that have most of them. */
async function findTopics({ topics, text }: ForgetJob): Promise<FoundTopics> {
  const named = await readNamed(topics, text);
  if (named !== undefined) return { found: [named], isCertain: true };
  const { search, settled } = openProjectSearch({ project: topics.project });
  const { topics: hits } = await search({ query: text, kind: "topics" });
  await settled();
  const names = hits.filter(({ kind }) => kind === "topic").map(({ name }) => name);
  const read = await topics.store.readMany(names);
  const terms = searchTerms(text);
  const shares = [...read.values()].map((topic) => ({ topic, share: shareOf(terms, topic) }));
  const best = shares.reduce((most, { share }) => Math.max(most, share), 0);
  if (best <= MIN_SHARE) return { found: [], isCertain: true };
  const found = shares.filter(({ share }) => share === best).map(({ topic }) => topic);
  return { found, isCertain: best === 1 };
}

/** Fewer words in common are a coincidence. */
const MIN_SHARE = 0.5;

function shareOf(
  terms: readonly string[],
  { slug, topic: { description, body } }: StoredTopic,
): number {
  const own = new Set(searchTerms(`${slug} ${description} ${body}`));
  return terms.filter((term) => own.has(term)).length / Math.max(1, terms.length);
}

async function readNamed({ store }: OpenTopics, name: string): Promise<StoredTopic | undefined> {
  try {
    return await store.read(name);
  } catch (error) {
    // Most texts are not names.
    if (isMemoryError(error) && error.code === "INVALID_SLUG") return undefined;
    throw error;
  }
}

async function tracesOf({ topics, text }: ForgetJob): Promise<Traces> {
  const { projectHome } = topics.locations;
  if (projectHome === undefined) return { learned: [], turns: [], statements: [] };
  return await findTraces(projectHome, text);
}

function isEmpty({ statements }: Traces): boolean {
  return statements.length === 0;
}

interface Found {
  readonly topic: StoredTopic | undefined;
  readonly traces: Traces;
}

async function isConfirmed(job: ForgetJob, found: Found): Promise<boolean> {
  const { host, options, json } = job.invocation;
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive())
    throw new UsageError("forget asks for confirmation, and stdin is not a terminal; pass --yes");
  host.stderr(renderFound(job, found));
  const { topic } = found;
  return await host.confirm(
    topic === undefined
      ? "Keep this from being remembered again?"
      : `Forget ${terminalSafeLine(topic.slug)}?`,
  );
}

const MAX_SHOWN = 5;
const MAX_LINES = 12;

function renderFound({ text }: ForgetJob, { topic, traces }: Found): string {
  const lines = topic === undefined ? [`No topic about ${JSON.stringify(text)}.`] : shown(topic);
  const said = traces.learned
    .map((statement) => `learned memory: ${statement}`)
    .concat(traces.turns.map(({ session, statement }) => `session ${session}: ${statement}`));
  const more = said.length - MAX_SHOWN;
  return [...lines, ...said.slice(0, MAX_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])]
    .map((line) => `${terminalSafeLine(line)}\n`)
    .join("");
}

function shown({ slug, topic: { description, body } }: StoredTopic): readonly string[] {
  const lines = body.trim().split("\n");
  const rest = lines.length > MAX_LINES ? ["  …"] : [];
  return [
    `${slug}: ${description}`,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...rest,
  ];
}

async function forget(
  job: ForgetJob,
  { topic, traces, forgotten }: Found & { readonly forgotten: Forgotten },
): Promise<CommandResult> {
  const { invocation, topics, text } = job;
  // Tombstones first: if the process ends here, nothing comes back.
  const tombstone = await forgotten.forget({
    slug: topic?.slug,
    statements: topic === undefined ? [...traces.statements, text] : traces.statements,
    turns: traces.turns,
  });
  const slug = topic?.slug;
  const change = slug === undefined ? undefined : await removeTopic(topics, slug);
  return output(invocation, {
    data: { kind: "forgotten", slug, change, tombstone },
    text: renderForgotten(job, { traces, slug, restorable: slug ?? tombstone ?? "" }),
    stderr: topics.warnings,
  });
}

async function removeTopic({ store }: OpenTopics, name: string): Promise<string | undefined> {
  const removed = await store.remove({ name, author: USER });
  return removed.kind === "removed" ? removed.change : undefined;
}

function renderForgotten(
  { invocation, text }: ForgetJob,
  {
    traces,
    slug,
    restorable,
  }: {
    readonly traces: Traces;
    readonly slug: string | undefined;
    readonly restorable: string;
  },
): string {
  const lines = formatCount(traces.learned.length, "line");
  const turns = formatCount(traces.turns.length, "turn");
  const elsewhere = isEmpty(traces)
    ? ""
    : ` ${lines} of learned memory and ${turns} of past sessions will not be used.`;
  const restore = invocation.host.command(`memory restore ${restorable}`);
  const what = terminalSafeLine(slug ?? JSON.stringify(text));
  return `forgot ${what}.${elsewhere} Restore it with: ${terminalSafeLine(restore)}\n`;
}

function severalTopics(
  { invocation, topics, text }: ForgetJob,
  found: readonly StoredTopic[],
): CommandResult {
  const { host } = invocation;
  const lines = found.map(({ slug, topic }) => terminalSafeLine(`${slug}: ${topic.description}`));
  const count = found.length === 1 ? "1 topic resembles" : `${found.length} topics are about`;
  const message = `${count} ${JSON.stringify(text)}. Name one, as in: ${host.command(`memory forget ${found[0]?.slug ?? ""}`)}`;
  return output(invocation, {
    data: { kind: "several", topics: found.map(({ slug }) => slug) },
    text: lines.map((line) => `${line}\n`).join(""),
    stderr: [...topics.warnings, message],
    exitCode: EXIT.failed,
  });
}

function nothingFound({ invocation, topics, text }: ForgetJob): CommandResult {
  const message = `nothing is remembered about ${JSON.stringify(text)}, in topics, learned memory or past sessions`;
  return output(invocation, {
    data: { kind: "nothing" },
    text: "",
    stderr: [...topics.warnings, message],
    exitCode: EXIT.nothingFound,
  });
}
