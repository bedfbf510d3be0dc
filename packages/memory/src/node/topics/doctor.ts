import { join } from "node:path";
import { readTextFile, writeFileAtomic } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import { diagnoseStore, type Finding, type FoundSecret } from "../../store/doctor.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { StoredTopic, UnreadableTopic } from "../../store/topic-store.ts";
import type { FsTopicStore } from "./fs-topic-store.ts";
import { isStaleFile } from "./transaction/clean-up.ts";
import { listFileNames, readIndexFile } from "./files/topic-files.ts";

export interface DoctorInput {
  readonly store: FsTopicStore;
  readonly directory: string;
  /** Where edits are kept that could not be taken over. */
  readonly draftsDirectory: string;
  readonly findSecrets: FindSecrets;
}

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;
const DRAFT = /\.md$/;

/** Looks at everything in a memory, and changes nothing. */
export async function diagnoseDirectory(input: DoctorInput): Promise<readonly Finding[]> {
  const { store, directory } = input;
  const { topics, problems } = await store.list();
  const read = await Promise.all(topics.map(({ slug }) => readOrSay(store, slug)));
  const readable = read.filter((item) => "hash" in item);
  const refused = read.filter((item) => "sentence" in item);
  const index = (await readIndexFile(directory)).raw ?? "";
  return diagnoseStore({
    index,
    topics: readable,
    problems: [...problems, ...refused],
    secrets: await secretPlaces(input, { topics: readable, index }),
    staleFiles: listFileNames(directory).filter(isStaleFile),
  });
}

/** Wherever a text may be: a prompt, a topic, an edit that was kept, or the history. */
async function secretPlaces(
  input: DoctorInput,
  { topics, index }: { readonly topics: readonly StoredTopic[]; readonly index: string },
): Promise<readonly FoundSecret[]> {
  const remedy = "takes it out of the file and of the history";
  const texts = [
    { file: INDEX_FILE, text: index, remedy: "takes it out of the file" },
    ...topics.map(({ slug, text }) => ({ file: `${slug}.md`, text, remedy })),
    ...(await draftsIn(input)).map(({ file, text }) => ({
      file,
      text,
      remedy: "takes it out of the draft",
    })),
  ];
  const found = await Promise.all(
    texts.map(async ({ file, text, remedy: what }) => {
      const secrets = await input.findSecrets(text);
      return secrets.map(({ kind, line }) => ({ file, kind, line, remedy: what }));
    }),
  );
  return [...found.flat(), ...(await secretsInHistory(input))];
}

async function secretsInHistory({
  store,
  findSecrets,
}: DoctorInput): Promise<readonly FoundSecret[]> {
  const files = (await store.log()).flatMap((change) => change.files);
  const bySlug = Map.groupBy(files, ({ slug }) => slug);
  const found = await Promise.all(
    [...bySlug].map(async ([slug, changed]) => {
      const texts = new Set(changed.flatMap(({ before, after }) => [before ?? "", after ?? ""]));
      const [first] = await findSecrets([...texts].join("\n"));
      const file = `${slug}.md`;
      const remedy = `erases every text of ${slug} from the history`;
      return first === undefined ? [] : [{ file, kind: `${first.kind}, in the history`, remedy }];
    }),
  );
  return found.flat();
}

interface DraftText {
  /** With its folder, to be told from a topic. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
}

async function draftsIn({ draftsDirectory }: DoctorInput): Promise<readonly DraftText[]> {
  const names = listFileNames(draftsDirectory).filter((name) => DRAFT.test(name));
  const drafts = await Promise.all(
    names.map(async (name) => {
      const path = join(draftsDirectory, name);
      const file = await readTextFile(path, MAX_DRAFT_BYTES, { refuseLinks: true });
      return file.kind === "text" ? [{ file: `drafts/${name}`, path, text: file.text }] : [];
    }),
  );
  return drafts.flat();
}

async function readOrSay(
  store: FsTopicStore,
  slug: StoredTopic["slug"],
): Promise<StoredTopic | UnreadableTopic> {
  try {
    return (await store.read(slug)) ?? { slug, message: `${slug}.md is gone` };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return { slug, message: error.message };
  }
}

export interface RepairedFinding {
  readonly finding: Finding;
  readonly isFixed: boolean;
}

/** The text without its secrets. */
export type Redact = (text: string) => Promise<string>;

export interface RepairStoreInput extends DoctorInput {
  readonly redact: Redact;
}

/** Mends what can be mended without asking anybody; every change is in the history, but for the secrets. */
export async function repairStore(input: RepairStoreInput): Promise<readonly RepairedFinding[]> {
  const findings = await diagnoseDirectory(input);
  const withSecret = new Set(
    findings.flatMap(({ code, path: file }) => (code === "SECRET" ? [file] : [])),
  );
  await removeSecretsFromDrafts(input, withSecret);
  if (withSecret.has(INDEX_FILE)) await input.store.editIndex(input.redact);
  const topics = [...withSecret].filter(
    (file) => file !== INDEX_FILE && !file.startsWith("drafts/"),
  );
  // oxlint-disable-next-line no-await-in-loop -- one change after the other
  for (const file of topics) await removeSecrets(input, file.slice(0, -".md".length));
  await input.store.rebuildIndex();
  const left = await diagnoseDirectory(input);
  const isLeft = (finding: Finding): boolean =>
    left.some(
      ({ code, path: file, message: sentence }) =>
        code === finding.code && file === finding.path && sentence === finding.message,
    );
  return findings.map((finding) => ({ finding, isFixed: !isLeft(finding) }));
}

async function removeSecrets({ store, redact }: RepairStoreInput, name: string): Promise<void> {
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

async function removeSecretsFromDrafts(input: RepairStoreInput, files: ReadonlySet<string>): Promise<void> {
  for (const { file, path, text } of await draftsIn(input)) {
    // oxlint-disable-next-line no-await-in-loop -- hardly ever more than one
    if (files.has(file)) await writeFileAtomic(path, await input.redact(text));
  }
}
