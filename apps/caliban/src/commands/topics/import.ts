import { resolve } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { findSecrets } from "@caliban/common/secrets";
import type { FsTopicStore, ImportedTopic } from "@caliban/memory/node";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { claudeMemoryDirectory, type ForeignTopic, readForeignTopics } from "./claude-memory.ts";
import { type OpenTopics, openTopicsToWrite, PERSON } from "./open-topics.ts";

/** What is to become, or became, of one file. */
interface ImportRow {
  readonly name: string;
  readonly outcome: "to copy" | "copied" | "there already" | "not copied";
  readonly sentence?: string;
}

/** `caliban memory import`: shows what would be copied, then copies it; nothing is overwritten. */
export async function importTopics(invocation: Invocation): Promise<CommandResult> {
  const topics = await openTopicsToWrite(invocation);
  const source = sourceDirectory(invocation, topics);
  const foreign = source === undefined ? undefined : await readForeignTopics(source);
  if (source === undefined || foreign === undefined || foreign.length === 0) {
    return nothingToImport(invocation, topics, { source, isThere: foreign !== undefined });
  }
  const plan = await Promise.all(foreign.map((topic) => planned(topics.store, topic)));
  const wanted = plan.filter(({ outcome }) => outcome === "to copy").length;
  const isDone = await isConfirmed(invocation, render(plan, topics.shown(source)), wanted);
  const rows = isDone ? await copy(topics.store, foreign) : plan;
  const from = textOption(invocation, "from");
  const flags = from === undefined ? "" : `--from ${terminalSafeLine(JSON.stringify(from))} `;
  const hint = `Nothing was copied. \`caliban memory import ${flags}--yes\` copies ${wanted}.\n`;
  const text = render(rows, topics.shown(source)) + (isDone || wanted === 0 ? "" : hint);
  return {
    stdout: invocation.json ? `${terminalSafeJson({ source, isDone, topics: rows })}\n` : text,
    stderr: topics.warnings,
    exitCode: rows.some(({ outcome }) => outcome === "not copied") ? EXIT.failed : EXIT.done,
  };
}

function nothingToImport(
  { json }: Invocation,
  { warnings, shown }: OpenTopics,
  { source, isThere }: { readonly source: string | undefined; readonly isThere: boolean },
): CommandResult {
  const what = isThere ? "" : ", which is not there";
  const where = source === undefined ? "" : ` in ${shown(source)}${what}`;
  return {
    stdout: json ? `${terminalSafeJson({ source, topics: [] })}\n` : "",
    stderr: `${warnings}caliban: no topics were found${where}; name a directory with --from\n`,
    exitCode: EXIT.nothingFound,
  };
}

function sourceDirectory(invocation: Invocation, { session }: OpenTopics): string | undefined {
  const { host } = invocation;
  const from = textOption(invocation, "from");
  if (from === undefined) return claudeMemoryDirectory(host, session.workspace.root);
  return resolve(host.cwd ?? "/", expandTilde(pathStyleOf(host.platform), from, host.home));
}

/** What copying would come to, found out by all that copying checks, too. */
async function planned(store: FsTopicStore, topic: ForeignTopic): Promise<ImportRow> {
  const { name } = topic;
  if ("problem" in topic) return { name, outcome: "not copied", sentence: topic.problem };
  const existing = await store.read(name);
  if (existing !== undefined) return thereAlready(name, existing.text === topic.text);
  const [secret] = await findSecrets(topic.text);
  if (secret === undefined) return { name, outcome: "to copy" };
  const sentence = `line ${secret.line} looks like a secret: ${secret.kind}`;
  return { name, outcome: "not copied", sentence };
}

async function isConfirmed(
  { host, options, json }: Invocation,
  plan: string,
  wanted: number,
): Promise<boolean> {
  if (wanted === 0) return false;
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  host.stderr(plan);
  return await host.confirm(`Copy ${wanted}?`);
}

/** All in one change, so that one undo takes it back. */
async function copy(
  store: FsTopicStore,
  topics: readonly ForeignTopic[],
): Promise<readonly ImportRow[]> {
  const files = topics.filter((topic) => "text" in topic);
  const results = await store.importTopics({ files, author: PERSON });
  const unread = topics.flatMap((topic) =>
    "problem" in topic
      ? [{ name: topic.name, outcome: "not copied" as const, sentence: topic.problem }]
      : [],
  );
  return [...results.map(rowOf), ...unread].toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}

function rowOf(result: ImportedTopic): ImportRow {
  const { kind, name } = result;
  if (kind === "exists") return thereAlready(name, result.isSame);
  if (kind === "refused") return { name, outcome: "not copied", sentence: result.sentence };
  return { name, outcome: "copied" };
}

function thereAlready(name: string, isSame: boolean): ImportRow {
  return {
    name,
    outcome: "there already",
    sentence: isSame ? "the same text" : "another text, which stays",
  };
}

function render(rows: readonly ImportRow[], source: string): string {
  const lines = rows.map(({ name, outcome, sentence }) => {
    const why = sentence === undefined ? "" : ` (${terminalSafeLine(sentence)})`;
    return `  ${outcome.padEnd(13)}  ${terminalSafeLine(name)}${why}\n`;
  });
  return `from ${source}\n${lines.join("")}`;
}
