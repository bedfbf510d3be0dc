import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readTextFile, writeFileAtomic } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import { diagnoseStore, type Finding, type FoundSecret } from "../../store/doctor.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { StoredTopic, UnreadableTopic } from "../../store/topic-store.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { listFileNames, readIndexFile } from "./files/topic-files.ts";
import type { FsTopicStore } from "./fs-topic-store.ts";
import { findSecretNames, maskNames, recordedNames, replacementName } from "./secret-names.ts";
import { isStaleFile } from "./transaction/clean-up.ts";

interface DiagnoseInput {
  readonly store: FsTopicStore;
  readonly directory: string;
  /** Where rejected edits are kept. */
  readonly draftsDirectory: string;
  readonly findSecrets: FindSecrets;
}

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;
const DRAFT = /\.md$/;
const DRAFT_NAME = /[^/\\]+(?=\.[0-9a-f]{12}\.md$)/;

/** Checks everything in a memory directory. Changes nothing. */
export async function diagnoseDirectory(input: DiagnoseInput): Promise<readonly Finding[]> {
  return await withoutNames(await diagnose(input), input);
}

/** Masks names that contain a secret, because findings are displayed. */
async function withoutNames(
  findings: readonly Finding[],
  { findSecrets }: DiagnoseInput,
): Promise<readonly Finding[]> {
  const names = await findSecretNames(
    findings.map(({ path }) => path.replace(DRAFT, "")),
    findSecrets,
  );
  return findings.map((finding) => ({
    ...finding,
    path: maskNames(finding.path, names),
    message: maskNames(finding.message, names),
    fixedMessage: finding.fixedMessage && maskNames(finding.fixedMessage, names),
  }));
}

async function diagnose(input: DiagnoseInput): Promise<readonly Finding[]> {
  const { store, directory } = input;
  const { topics: listed, problems } = await store.list();
  const read = await Promise.all(listed.map(({ slug }) => readOrReport(store, slug)));
  const topics = read.filter((item) => "hash" in item);
  const unreadable = read.filter((item) => "message" in item);
  const index = (await readIndexFile(directory)).raw ?? "";
  return diagnoseStore({
    index,
    topics,
    problems: [...problems, ...unreadable],
    secrets: await findAllSecrets(input, { topics, index }),
    staleFiles: listFileNames(directory).filter(isStaleFile),
  });
}

/** Searches every text: the index, the topics, the drafts and the history. */
async function findAllSecrets(
  input: DiagnoseInput,
  { topics, index }: { readonly topics: readonly StoredTopic[]; readonly index: string },
): Promise<readonly FoundSecret[]> {
  const texts = [
    { file: INDEX_FILE, text: index, from: "the file" },
    ...topics.map(({ slug, text }) => ({
      file: `${slug}.md`,
      text,
      from: "the file and from the history",
    })),
    ...(await readDrafts(input)).map(({ file, text }) => ({ file, text, from: "the draft" })),
  ];
  const found = await Promise.all(
    texts.map(async ({ file, text, from }) => {
      const secrets = await input.findSecrets(text);
      const [remedy, fixed] = [`removes it from ${from}`, `removed from ${from}`];
      return secrets.map(({ kind, line }) => ({ file, kind, line, remedy, fixed }));
    }),
  );
  return [
    ...(await secretsInNames(input, topics)),
    ...found.flat(),
    ...(await secretsInHistory(input)),
  ];
}

async function secretsInNames(
  { findSecrets }: DiagnoseInput,
  topics: readonly StoredTopic[],
): Promise<readonly FoundSecret[]> {
  const names = await findSecretNames(
    topics.map(({ slug }) => slug),
    findSecrets,
  );
  const [remedy, fixed] = ["renames the topic", "removed from the name of a topic"];
  return [...names].map(([slug, kind]) => ({
    file: `${slug}.md`,
    kind: `${kind}, in the name`,
    remedy,
    fixed,
  }));
}

async function secretsInHistory({
  store,
  findSecrets,
}: DiagnoseInput): Promise<readonly FoundSecret[]> {
  const files = (await store.log()).flatMap((change) =>
    change.files.map((file) => ({ ...file, names: recordedNames({ ...change, files: [file] }) })),
  );
  const bySlug = Map.groupBy(files, ({ slug }) => slug);
  const found = await Promise.all(
    [...bySlug].map(async ([slug, changed]) => {
      const texts = new Set(
        changed.flatMap(({ before, after, names }) => [before ?? "", after ?? "", ...names]),
      );
      const [first] = await findSecrets([...texts].join("\n"));
      const file = `${slug}.md`;
      const remedy = `erases all texts of ${slug} from the history`;
      const fixed = `erased from the history, with all texts of ${slug}`;
      return first === undefined
        ? []
        : [{ file, kind: `${first.kind}, in the history`, remedy, fixed }];
    }),
  );
  return found.flat();
}

interface DraftText {
  /** Includes the folder, to tell it apart from a topic. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
}

async function readDrafts({ draftsDirectory }: DiagnoseInput): Promise<readonly DraftText[]> {
  const names = listFileNames(draftsDirectory).filter((name) => DRAFT.test(name));
  const drafts = await Promise.all(
    names.map(async (name) => {
      const path = join(draftsDirectory, name);
      const file = readTextFile(path, MAX_DRAFT_BYTES, { refuseLinks: true });
      return file.kind === "text" ? [{ file: `drafts/${name}`, path, text: file.text }] : [];
    }),
  );
  return drafts.flat();
}

async function readOrReport(
  store: FsTopicStore,
  slug: TopicSlug,
): Promise<StoredTopic | UnreadableTopic> {
  try {
    const topic = await store.read(slug);
    return topic ?? { code: "UNREADABLE", slug, message: `${slug}.md no longer exists` };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return { code: "UNREADABLE", slug, message: error.message };
  }
}

export interface RepairedFinding {
  readonly finding: Finding;
  readonly isFixed: boolean;
}

/** Removes the secrets from a text. */
type Redact = (text: string) => Promise<string>;

interface RepairStoreInput extends DiagnoseInput {
  readonly redact: Redact;
}

/** Repairs everything that needs no decision by the user. Every change is recorded in the history, except secrets. */
export async function repairStore(input: RepairStoreInput): Promise<readonly RepairedFinding[]> {
  const findings = await diagnose(input);
  const withSecret = new Set(
    findings.flatMap(({ code, path }) => (code === "SECRET" ? [path] : [])),
  );
  await removeSecretsFromDrafts(input, withSecret);
  if (withSecret.has(INDEX_FILE)) await input.store.editIndex(input.redact);
  const topics = [...withSecret].filter(
    (file) => file !== INDEX_FILE && !file.startsWith("drafts/"),
  );
  for (const file of topics) await removeSecrets(input, file.slice(0, -".md".length));
  await input.store.rebuildIndex();
  const left = await diagnose(input);
  const isLeft = (finding: Finding): boolean =>
    left.some(
      ({ code, path, message }) =>
        code === finding.code && path === finding.path && message === finding.message,
    );
  const shown = await withoutNames(findings, input);
  return findings.map((finding, at) => ({
    finding: shown[at] ?? finding,
    isFixed: !isLeft(finding),
  }));
}

async function removeSecrets(input: RepairStoreInput, oldName: string): Promise<void> {
  const { store, redact } = input;
  const name = await removeSecretName(input, oldName);
  const topic = await store.read(name);
  if (topic !== undefined) {
    const [text, { hash: ifMatch }] = [await redact(topic.text), topic];
    const author = { who: "person" } as const;
    await store.edit({
      name,
      text,
      ifMatch,
      author,
      action: "fix",
      allowSecrets: true,
      allowMalformed: true,
    });
  }
  await store.erase(name);
}

/** Renames a topic whose name contains a secret, and returns its name. */
async function removeSecretName(
  { store, findSecrets }: RepairStoreInput,
  name: string,
): Promise<string> {
  const { topics } = await store.list();
  const isListed = topics.some(({ slug }) => slug === name);
  if (!isListed || (await findSecretNames([name], findSecrets)).size === 0) return name;
  const to = replacementName(topics.map(({ slug }) => slug));
  await store.rename({ from: name, to, author: { who: "person" } });
  return to;
}

async function removeSecretsFromDrafts(
  input: RepairStoreInput,
  files: ReadonlySet<string>,
): Promise<void> {
  for (const { file, path, text } of await readDrafts(input)) {
    if (!files.has(file)) continue;
    const names = await findSecretNames([file], input.findSecrets);
    // The hash of the original text remains, so that the edit of the renamed topic continues.
    const clean = names.size === 0 ? path : path.replace(DRAFT_NAME, replacementName([]));
    await writeFileAtomic(clean, await input.redact(text));
    if (clean !== path) await rm(path);
  }
}
