import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { checkArguments } from "../../check-arguments.ts";
import type { ImportSource, ImportSourceName } from "../../exchange/source.ts";
import type { Author, TopicStore } from "../../store/topic-store.ts";
import { parseTopic } from "../../topics/parse-topic.ts";
import type { Forgotten } from "../forgotten/open-forgotten.ts";
import type { OpenedTopicStore } from "../open-topic-store.ts";
import type { FsTopicStore } from "../topics/fs-topic-store.ts";
import {
  type ImportRow,
  indexRow,
  instructionRow,
  isImportable,
  refusedRow,
  topicRow,
  toPlanned,
} from "./import-rows.ts";
import { planInstructions, writeInstructions } from "./instructions.ts";
import { findImportSource } from "./sources/find-source.ts";

export interface PlanImportInput {
  /** Where to import to: the result of `openTopicStore`. */
  readonly topics: Pick<
    OpenedTopicStore,
    "locations" | "environment" | "workspaceRoot" | "projectPath"
  > & { readonly store: Pick<TopicStore, "importTopics"> };
  /** `claude` by default. */
  readonly from?: ImportSourceName | undefined;
  /** The file or directory to import, for `dir` and `agents-md`. */
  readonly path?: string | undefined;
  /** Whether to include files that are not about this project. */
  readonly includeExcluded?: boolean | undefined;
  /** What the user forgot here: files that say it are left out. */
  readonly forgotten?: Pick<Forgotten, "find" | "strip"> | undefined;
  /** The user by default. */
  readonly author?: Author | undefined;
}

/** What an import would do. */
export interface ImportPlan extends Pick<ImportSource, "path" | "exists" | "notices"> {
  readonly from: ImportSourceName;
  readonly rows: readonly ImportRow[];
  /** Does it, with all checks again. */
  readonly run: () => Promise<ImportResult>;
}

interface ImportResult {
  readonly rows: readonly ImportRow[];
  /** The change in the history; undoing it takes back all topics. */
  readonly change?: string | undefined;
}

/**
 * Reads everything that can be imported from a source, and plans what to do with it. Nothing is overwritten: a topic
 * whose name is taken gets an alternative name, and instructions are only imported while there is no global file.
 *
 * @example
 * import { planImport } from "@caliban/memory/exchange";
 * import { openTopicStore } from "@caliban/memory/node";
 *
 * const topics = await openTopicStore({ workspace: process.cwd(), env: { HOME: process.cwd() } });
 * const plan = await planImport({ from: "claude", topics });
 * for (const { outcome, name, path } of plan.rows) console.log(outcome, name, path);
 * const { change } = await plan.run();
 */
export async function planImport(input: PlanImportInput): Promise<ImportPlan> {
  checkArguments("planImport", input, { topics: "object" });
  checkArguments("planImport", input.topics, { store: "object", environment: "object" });
  const { topics, from = "claude", path, includeExcluded = false } = input;
  const found = findImportSource(from, { ...topics, path, includeExcluded });
  const source = input.forgotten === undefined ? found : leaveOut(found, input.forgotten);
  const { exists, notices } = source;
  // A preview makes all the checks of a real run, so that its rows are right.
  const { rows } = await runImport(input, source, { isPreview: true });
  const run = async (): Promise<ImportResult> =>
    await runImport(input, source, { isPreview: false });
  return { from, path: source.path, exists, notices, rows: rows.map(toPlanned), run };
}

function leaveOut(
  source: ImportSource,
  { find, strip }: NonNullable<PlanImportInput["forgotten"]>,
): ImportSource {
  const files = source.files.map((file) => {
    if (!isImportable(file)) return file;
    const { description, body } = parseTopic(file.text);
    const [match] = [description, body].flatMap(find);
    if (match === undefined) return file;
    const excluded = `forgotten on ${match.tombstone.at.slice(0, 10)}`;
    return { ...file, excluded, isForgotten: true };
  });
  const { index } = source;
  if (index === undefined || !("text" in index)) return { ...source, files };
  return { ...source, files, index: { ...index, text: strip(index.text).text } };
}

async function runImport(
  input: PlanImportInput,
  source: ImportSource,
  stage: { readonly isPreview: boolean },
): Promise<ImportResult> {
  const { environment, locations } = input.topics;
  const { globalFile } = locations;
  const instructions =
    globalFile === undefined ? [] : planInstructions(source.instructions, globalFile, environment);
  if (!stage.isPreview && globalFile !== undefined)
    await writeInstructions(globalFile, instructions);
  const { topics, index, change } = await importFiles(input, source, stage);
  const style = pathStyleOf(environment.platform);
  const shown = terminalSafeLine(abbreviateHome(style, globalFile ?? "", environment.home));
  const results = topics.values();
  const rows = [
    ...instructions.map((file) => instructionRow(file, shown)),
    ...source.files.map((file) =>
      isImportable(file) ? topicRow(file, results.next().value) : refusedRow(file),
    ),
    ...(source.index === undefined ? [] : [indexRow(source.index, index)]),
  ];
  return { rows, change };
}

async function importFiles(
  { topics, author = { who: "person", origin: "import" } }: PlanImportInput,
  source: ImportSource,
  { isPreview }: { readonly isPreview: boolean },
): Promise<Awaited<ReturnType<FsTopicStore["importTopics"]>>> {
  const files = source.files.filter(isImportable);
  const index =
    source.index !== undefined && "text" in source.index ? source.index.text : undefined;
  if (files.length === 0 && index === undefined) return { topics: [] };
  // Part of the alternative name of a topic.
  const agent = source.name === "agents-md" ? "agents" : source.name;
  return await topics.store.importTopics({ files, agent, index, isPreview, author });
}
