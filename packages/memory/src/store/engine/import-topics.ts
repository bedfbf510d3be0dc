import { isMemoryError } from "../../errors.ts";
import { parseTopic } from "../../topics/parse-topic.ts";
import { toTopicSlug } from "../import-names.ts";
import type {
  ImportedIndex,
  ImportedTopics,
  ImportFile,
  ImportTopicsInput,
} from "../imported-topics.ts";
import { assertBodySize } from "../plan-write.ts";
import { findSecretNames, maskNames, type SecretNames } from "../secret-names.ts";
import { assertNoSecrets, type FindSecrets } from "../secrets.ts";
import { commitChange, commitIndex } from "./commit-change.ts";
import { CONFLICT, type Engine, untilCommitted } from "./engine.ts";
import {
  type CheckedFile,
  type ImportPlan,
  type ImportRequest,
  planImport,
  type RefusedFile,
} from "./plan-import.ts";
import { type IndexState, readIndex } from "./read-topics.ts";
import { readHistory } from "./topic-history.ts";

/**
 * Imports topic files unchanged, all in one change, except those that exist already or are refused. A file whose name is
 * taken by another topic gets an alternative name.
 */
export async function importTopics(
  engine: Engine,
  input: ImportTopicsInput,
): Promise<ImportedTopics> {
  const { findSecrets } = engine;
  await assertNoSecrets({ "name of the program": input.agent ?? "" }, findSecrets);
  const checked = await Promise.all(input.files.map((file) => checkFile(file, findSecrets)));
  const refusedIndex = await checkIndex(input.index, findSecrets);
  const request: ImportRequest = {
    checked,
    agent: input.agent ?? "import",
    index: refusedIndex === undefined ? input.index : undefined,
    changes: await readHistory(engine.backend),
  };
  const result = await untilCommitted(engine, async () => {
    const index = await readIndex(engine);
    const plan = await planImport(engine, request, index);
    const topics = { topics: plan.topics, index: plan.indexResult };
    if (input.isPreview === true) return topics;
    const change = await writePlan(engine, { plan, index, input });
    return change === CONFLICT ? CONFLICT : { ...topics, ...change };
  });
  return refusedIndex === undefined ? result : { ...result, index: refusedIndex };
}

async function writePlan(
  engine: Engine,
  {
    plan: { files, indexText },
    index,
    input: { author },
  }: {
    readonly plan: ImportPlan;
    readonly index: IndexState;
    readonly input: ImportTopicsInput;
  },
): Promise<Pick<ImportedTopics, "change"> | typeof CONFLICT> {
  if (files.length > 0) {
    const request = { action: "import", author, files, index, indexText } as const;
    const committed = await commitChange(engine, request);
    return committed === CONFLICT ? CONFLICT : { change: committed.change };
  }
  if (indexText === undefined || indexText === index.raw) return {};
  return (await commitIndex(engine, index, indexText)) === CONFLICT ? CONFLICT : {};
}

async function checkFile(
  file: ImportFile,
  findSecrets: FindSecrets,
): Promise<CheckedFile | RefusedFile> {
  const { name, text } = file;
  if (!text.isWellFormed()) return { kind: "refused", name, message: NOT_WELL_FORMED };
  try {
    assertBodySize(parseTopic(text).body);
    const inName = await findSecretNames([name, file.path ?? ""], findSecrets);
    if (inName.size > 0) return refusedName(name, inName);
    const message = await describeSecrets(text, findSecrets);
    if (message !== undefined) return { kind: "refused", name, message };
    return { ...file, slug: toTopicSlug(name) };
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return { kind: "refused", name, message: error.message };
  }
}

/** The result is displayed, so it does not repeat the name. */
function refusedName(name: string, secrets: SecretNames): RefusedFile {
  const kinds = [...new Set(secrets.values())].join("; ");
  return {
    kind: "refused",
    name: maskNames(name, secrets),
    message: `its name looks like a secret: ${kinds}`,
  };
}

/** A lone surrogate cannot be encoded as UTF-8, so the file would have another text. */
const NOT_WELL_FORMED = "it contains half of a surrogate pair, which cannot be saved as UTF-8";

async function checkIndex(
  index: string | undefined,
  findSecrets: FindSecrets,
): Promise<ImportedIndex | undefined> {
  if (index === undefined) return undefined;
  if (!index.isWellFormed()) return { kind: "refused", message: NOT_WELL_FORMED };
  const message = await describeSecrets(index, findSecrets);
  return message === undefined ? undefined : { kind: "refused", message };
}

/** Names the kind and the line, never the value. */
async function describeSecrets(
  text: string,
  findSecrets: FindSecrets,
): Promise<string | undefined> {
  const found = await findSecrets(text);
  const lines = found.map(({ kind, line }) => `line ${line} looks like a secret: ${kind}`);
  return lines.length === 0 ? undefined : [...new Set(lines)].join("; ");
}
