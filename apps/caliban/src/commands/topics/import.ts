import { dirname, resolve } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { findSecrets } from "@caliban/common/secrets";
import { parseTopicHeader } from "@caliban/memory";
import type { FsTopicStore, ImportedTopic } from "@caliban/memory/node";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import {
  type ClaudeInstructions,
  claudeInstructions,
  importInstructions,
} from "./claude-instructions.ts";
import { claudeMemoryDirectory, type ForeignTopic, readForeignTopics } from "./claude-memory.ts";
import { type OpenTopics, openTopicsToWrite, PERSON } from "./open-topics.ts";

/** What is to become, or became, of one file. */
interface ImportRow {
  readonly name: string;
  readonly outcome:
    | "to import"
    | "imported"
    | "to copy"
    | "copied"
    | "there already"
    | "not copied";
  readonly sentence?: string;
}

/** `caliban memory import`: shows what would be taken over, then does it; nothing is overwritten. */
export async function importTopics(invocation: Invocation): Promise<CommandResult> {
  const topics = await openTopicsToWrite(invocation);
  const found = await findForeign(invocation, topics);
  const { source, foreign = [], instructions } = found;
  if (source === undefined || (foreign.length === 0 && instructions === undefined)) {
    return nothingToImport(invocation, topics, { source, isThere: found.foreign !== undefined });
  }
  const shownAs = topics.shown(
    foreign.length === 0 && instructions !== undefined ? dirname(instructions.path) : source,
  );
  const plan = [
    ...instructionRows(topics, instructions, "to import"),
    ...(await Promise.all(foreign.map((topic) => planned(topics.store, topic)))),
  ];
  const wanted = plan.filter(({ outcome }) => outcome.startsWith("to ")).length;
  const isDone = await isConfirmed(invocation, render(plan, shownAs), wanted);
  const rows = isDone ? await takeOver(invocation, topics, found) : plan;
  const text =
    render(rows, shownAs) + (isDone || wanted === 0 ? "" : howToDoIt(invocation, wanted));
  return {
    stdout: invocation.json ? `${terminalSafeJson({ source, isDone, topics: rows })}\n` : text,
    stderr: topics.warnings,
    exitCode: rows.some(({ outcome }) => outcome === "not copied") ? EXIT.failed : EXIT.done,
  };
}

function howToDoIt(invocation: Invocation, wanted: number): string {
  const from = textOption(invocation, "from");
  const flags = from === undefined ? "" : `--from ${terminalSafeLine(JSON.stringify(from))} `;
  return `Nothing was copied. \`caliban memory import ${flags}--yes\` copies ${wanted}.\n`;
}

/** What another agent has. */
interface Found {
  readonly source: string | undefined;
  /** `undefined` when there is no directory of topics. */
  readonly foreign: readonly ForeignTopic[] | undefined;
  readonly instructions: ClaudeInstructions | undefined;
}

async function findForeign(invocation: Invocation, topics: OpenTopics): Promise<Found> {
  const source = sourceDirectory(invocation, topics);
  return {
    source,
    foreign: source === undefined ? undefined : await readForeignTopics(source),
    instructions:
      textOption(invocation, "from") === undefined
        ? claudeInstructions(invocation.host, topics.places.globalFile)
        : undefined,
  };
}

function instructionRows(
  { shown }: OpenTopics,
  instructions: ClaudeInstructions | undefined,
  outcome: "to import" | "imported",
): readonly ImportRow[] {
  if (instructions === undefined) return [];
  const { path, globalFile } = instructions;
  return [{ name: shown(path), outcome, sentence: `by a line in ${shown(globalFile)}` }];
}

async function takeOver(
  { host }: Invocation,
  topics: OpenTopics,
  { foreign = [], instructions }: Found,
): Promise<readonly ImportRow[]> {
  if (instructions !== undefined) await importInstructions(instructions, host);
  const copied = foreign.length === 0 ? [] : await copy(topics.store, foreign);
  return [...instructionRows(topics, instructions, "imported"), ...copied];
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
  if (secret === undefined) return { name, outcome: "to copy", ...flawOf(topic) };
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
  return await host.confirm(`Take over ${wanted}?`);
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
  const flaws = new Map(files.map((file) => [file.name, flawOf(file)]));
  const rows = results.map((result) => rowOf(result, flaws.get(result.name) ?? {}));
  return [...rows, ...unread].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What `memory doctor` would say of it: it is kept as it was written, and somebody has to mend it. */
function flawOf({
  name,
  text,
}: Extract<ForeignTopic, { readonly text: string }>): Pick<ImportRow, "sentence"> {
  const [flaw] = parseTopicHeader(text).problems;
  if (flaw === undefined) return {};
  return { sentence: `${flaw.sentence} \`caliban memory edit ${name}\` is for mending it` };
}

function rowOf(result: ImportedTopic, flaw: Pick<ImportRow, "sentence">): ImportRow {
  const { kind, name } = result;
  if (kind === "exists") return thereAlready(name, result.isSame);
  if (kind === "refused") return { name, outcome: "not copied", sentence: result.sentence };
  return { name, outcome: "copied", ...flaw };
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
