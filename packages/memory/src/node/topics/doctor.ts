import { join } from "node:path";
import { readTextFile, thisMachine, writeFileAtomic } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { MemoryError } from "../../errors.ts";
import { diagnoseStore, type Finding, type FoundSecret } from "../../store/doctor.ts";
import type { StoredTopic, UnreadableTopic } from "../../store/topic-store.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { findSecretsLazily } from "../find-secrets.ts";
import { listFileNames, readIndexFile } from "./files/topic-files.ts";
import type { FsTopicStore } from "./fs-topic-store.ts";
import { findStaleFiles } from "./transaction/clean-up.ts";

interface DiagnosedTopics {
  readonly store: FsTopicStore;
  readonly directory: string;
  /** Where edits that could not be saved are kept, if anywhere. */
  readonly draftsDirectory?: string | undefined;
}

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;

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
  checkArguments("diagnoseTopics", input, { store: "object", directory: "string" });
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
    staleFiles: await findStaleFiles(directory, thisMachine()),
  });
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
  const found = await Promise.all(
    texts.map(async ({ file, text, from }) => {
      const secrets = await findSecretsLazily(text);
      const [remedy, fixed] = [`removes it from ${from}`, `removed from ${from}`];
      return secrets.map(({ kind, line }) => ({ file, kind, line, remedy, fixed }));
    }),
  );
  return [...found.flat(), ...(await secretsInHistory(input))];
}

async function secretsInHistory({ store }: DiagnosedTopics): Promise<readonly FoundSecret[]> {
  const files = (await store.log()).flatMap((change) => change.files);
  const bySlug = Map.groupBy(files, ({ slug }) => slug);
  const found = await Promise.all(
    [...bySlug].map(async ([slug, changed]) => {
      const texts = new Set(changed.flatMap(({ before, after }) => [before ?? "", after ?? ""]));
      const [first] = await findSecretsLazily([...texts].join("\n"));
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

interface RepairedFinding {
  readonly finding: Finding;
  readonly isFixed: boolean;
}

/** Repairs everything that needs no decision by the user. Every change is recorded in the history, except secrets. */
export async function repairTopics(input: DiagnosedTopics): Promise<readonly RepairedFinding[]> {
  const findings = await diagnoseTopics(input);
  const withSecret = new Set(
    findings.flatMap(({ code, path }) => (code === "SECRET" ? [path] : [])),
  );
  await removeSecretsFromDrafts(input, withSecret);
  if (withSecret.has(INDEX_FILE)) await input.store.editIndex(redact);
  const topics = [...withSecret].filter(
    (file) => file !== INDEX_FILE && !file.startsWith("drafts/"),
  );
  for (const file of topics) await removeSecrets(input, file.slice(0, -".md".length));
  await input.store.rebuildIndex();
  const left = await diagnoseTopics(input);
  const isLeft = (finding: Finding): boolean =>
    left.some(
      ({ code, path, message }) =>
        code === finding.code && path === finding.path && message === finding.message,
    );
  return findings.map((finding) => ({ finding, isFixed: !isLeft(finding) }));
}

async function removeSecrets({ store }: DiagnosedTopics, name: string): Promise<void> {
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

async function removeSecretsFromDrafts(
  input: DiagnosedTopics,
  files: ReadonlySet<string>,
): Promise<void> {
  for (const { file, path, text } of readDrafts(input)) {
    if (files.has(file)) await writeFileAtomic(path, await redact(text));
  }
}

/** Removes the secrets from a text. */
async function redact(text: string): Promise<string> {
  const { redactSecrets } = await import("@caliban/common/secrets");
  return (await redactSecrets(text)).text;
}
