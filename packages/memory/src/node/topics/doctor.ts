import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { readTextFile, thisMachine, writeFileAtomic } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { isMemoryError } from "../../errors.ts";
import {
  DIAGNOSES,
  type Finding,
  type FoundSecret,
  type StoreContents,
} from "../../store/doctor.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { StoredTopic, TopicStore, UnreadableTopic } from "../../store/topic-store.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { findSecretsLazily } from "../find-secrets.ts";
import { listFileNames } from "./files/topic-files.ts";
import {
  findSecretNames,
  maskNames,
  recordedNames,
  replacementName,
} from "../../store/secret-names.ts";
import { findDoubtful, repairFields } from "./repair-fields.ts";
import { findStaleFiles } from "./transaction/clean-up.ts";

interface DiagnosedTopics {
  readonly store: TopicStore;
  /** The directory of the topics, if they are in files. */
  readonly directory?: string | undefined;
  /** Where edits that could not be saved are kept, if anywhere. */
  readonly draftsDirectory?: string | undefined;
  /** Where the files are that support topics. Without it, evidence is not checked. */
  readonly workspaceRoot?: string | undefined;
  /** The built-in scanner if left out. A caller that checks often can remember what it found in a text. */
  readonly findSecrets?: FindSecrets | undefined;
}

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;
const DRAFT = /\.md$/;
const DRAFT_NAME = /[^/\\]+(?=\.[0-9a-f]{12}\.md$)/;

/**
 * Checks the topics, the index, drafts and the history. Changes nothing.
 *
 * @example
 * import { diagnoseTopics, openTopicStore, repairTopics } from "@caliban/memory/node";
 *
 * const topics = await openTopicStore({ workspace: process.cwd(), env: { HOME: process.cwd() } });
 * const findings = await diagnoseTopics(topics);
 * for (const { path, message } of findings) console.log(`${path}: ${message}`);
 * if (findings.some(({ isFixable }) => isFixable)) await repairTopics(topics);
 */
export async function diagnoseTopics(input: DiagnosedTopics): Promise<readonly Finding[]> {
  checkArguments("diagnoseTopics", input, { store: "object" });
  return await withoutNames(await diagnose(input), scannerOf(input));
}

function scannerOf({ findSecrets = findSecretsLazily }: DiagnosedTopics): FindSecrets {
  return findSecrets;
}

/** Masks names that contain a secret, because findings are displayed. */
async function withoutNames(
  findings: readonly Finding[],
  findSecrets: FindSecrets,
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

async function diagnose(input: DiagnosedTopics): Promise<readonly Finding[]> {
  const { store, directory } = input;
  const { topics: listed, problems } = await store.list();
  const found = await store.readMany(listed.map(({ slug }) => slug));
  const topics = [...found.values()];
  const missing = listed.filter(({ slug }) => !found.has(slug));
  const unreadable = await Promise.all(missing.map(({ slug }) => describeUnreadable(store, slug)));
  const index = (await store.storedIndex()) ?? "";
  return await diagnoseInTurn({
    index,
    topics,
    problems: [...problems, ...unreadable],
    secrets: await findAllSecrets(input, { topics, index }),
    staleFiles: directory === undefined ? [] : await findStaleFiles(directory, thisMachine()),
    doubtful: await findDoubtful(input, topics),
  });
}

/** A process that checks thousands of topics may have something else to do. */
async function diagnoseInTurn(contents: StoreContents): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const find of DIAGNOSES) {
    for (const finding of find(contents)) {
      if (finding === undefined) await setImmediate();
      else findings.push(finding);
    }
    await setImmediate();
  }
  return findings;
}

/** Searches every text: the index, the topics, the drafts and the history. */
async function findAllSecrets(
  input: DiagnosedTopics,
  { topics, index }: { readonly topics: readonly StoredTopic[]; readonly index: string },
): Promise<readonly FoundSecret[]> {
  const texts = [
    { file: INDEX_FILE, text: index, from: "the file" },
    ...topics.map(({ slug, text }) => ({
      file: `${slug}.md`,
      text,
      from: "the file and from the history",
    })),
    ...readDrafts(input).map(({ file, text }) => ({ file, text, from: "the draft" })),
  ];
  const findSecrets = scannerOf(input);
  const found = await Promise.all(
    texts.map(async ({ file, text, from }) => {
      const secrets = await findSecrets(text);
      const [remedy, fixed] = [`removes it from ${from}`, `removed from ${from}`];
      return secrets.map(({ kind, line }) => ({ file, kind, line, remedy, fixed }));
    }),
  );
  return [
    ...(await secretsInNames(topics, findSecrets)),
    ...found.flat(),
    ...(await secretsInHistory(input)),
  ];
}

async function secretsInNames(
  topics: readonly StoredTopic[],
  findSecrets: FindSecrets,
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

async function secretsInHistory(input: DiagnosedTopics): Promise<readonly FoundSecret[]> {
  const { store } = input;
  const findSecrets = scannerOf(input);
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

function readDrafts({ draftsDirectory }: DiagnosedTopics): readonly DraftText[] {
  if (draftsDirectory === undefined) return [];
  const names = listFileNames(draftsDirectory).filter((name) => name.endsWith(".md"));
  return names.flatMap((name) => {
    const path = join(draftsDirectory, name);
    const file = readTextFile(path, MAX_DRAFT_BYTES, { refuseLinks: true });
    return file.kind === "text" ? [{ file: `drafts/${name}`, path, text: file.text }] : [];
  });
}

async function describeUnreadable(store: TopicStore, slug: TopicSlug): Promise<UnreadableTopic> {
  try {
    await store.read(slug);
    return { code: "UNREADABLE", slug, message: `${slug}.md no longer exists` };
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "REFUSED_FILE") throw error;
    return { code: "UNREADABLE", slug, message: error.message };
  }
}

interface RepairedFinding {
  readonly finding: Finding;
  readonly isFixed: boolean;
}

/** Repairs everything that needs no decision by the user. Every change is recorded in the history, except secrets. */
export async function repairTopics(input: DiagnosedTopics): Promise<readonly RepairedFinding[]> {
  checkArguments("repairTopics", input, { store: "object" });
  const findings = await diagnose(input);
  const withSecret = new Set(
    findings.flatMap(({ code, path }) => (code === "SECRET" ? [path] : [])),
  );
  await removeSecretsFromDrafts(input, withSecret);
  if (withSecret.has(INDEX_FILE)) await input.store.editIndex(redact);
  const topics = [...withSecret].filter(
    (file) => file !== INDEX_FILE && !file.startsWith("drafts/"),
  );
  for (const file of topics) await removeSecrets(input, file.slice(0, -".md".length));
  await repairFields(input);
  await input.store.rebuildIndex();
  const left = await diagnose(input);
  const isLeft = (finding: Finding): boolean =>
    left.some(
      ({ code, path, message }) =>
        code === finding.code && path === finding.path && message === finding.message,
    );
  const shown = await withoutNames(findings, scannerOf(input));
  return findings.map((finding, at) => ({
    finding: shown[at] ?? finding,
    isFixed: !isLeft(finding),
  }));
}

async function removeSecrets({ store }: DiagnosedTopics, oldName: string): Promise<void> {
  const name = await removeSecretName(store, oldName);
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
async function removeSecretName(store: TopicStore, name: string): Promise<string> {
  const { topics } = await store.list();
  const isListed = topics.some(({ slug }) => slug === name);
  if (!isListed || (await findSecretNames([name], findSecretsLazily)).size === 0) return name;
  const to = replacementName(topics.map(({ slug }) => slug));
  await store.rename({ from: name, to, author: { who: "person" } });
  return to;
}

async function removeSecretsFromDrafts(
  input: DiagnosedTopics,
  files: ReadonlySet<string>,
): Promise<void> {
  for (const { file, path, text } of readDrafts(input)) {
    if (!files.has(file)) continue;
    const names = await findSecretNames([file], findSecretsLazily);
    // The hash of the original text remains, so that the edit of the renamed topic continues.
    const clean = names.size === 0 ? path : path.replace(DRAFT_NAME, replacementName([]));
    await writeFileAtomic(clean, await redact(text));
    if (clean !== path) await rm(path);
  }
}

/** Removes the secrets from a text. */
async function redact(text: string): Promise<string> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  return (await redactSecrets(text)).text;
}
