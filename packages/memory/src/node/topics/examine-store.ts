import { MemoryError } from "../../errors.ts";
import { diagnose, type Finding } from "../../topic/doctor.ts";
import type { FindSecrets } from "../../topic/secret-gate.ts";
import type { StoredTopic, UnreadableTopic } from "../../topic/store.ts";
import type { FsTopicStore } from "./fs-topic-store.ts";
import { isLeftover } from "./leftovers.ts";
import { namesIn, readIndexFile } from "./topic-files.ts";

export interface ExamineInput {
  readonly store: FsTopicStore;
  readonly directory: string;
  readonly findSecrets: FindSecrets;
}

/** Looks at everything in a memory, and changes nothing. */
export async function examineStore({
  store,
  directory,
  findSecrets,
}: ExamineInput): Promise<readonly Finding[]> {
  const { topics, problems } = await store.list();
  const read = await Promise.all(topics.map(({ slug }) => readOrSay(store, slug)));
  const readable = read.filter((item) => "hash" in item);
  const refused = read.filter((item) => "sentence" in item);
  const secrets = await Promise.all(
    readable.map(async ({ slug, text }) =>
      (await findSecrets(text)).map((found) => ({ ...found, slug })),
    ),
  );
  return diagnose({
    index: (await readIndexFile(directory)).before ?? "",
    topics: readable,
    problems: [...problems, ...refused],
    secrets: secrets.flat(),
    leftovers: namesIn(directory).filter(isLeftover),
  });
}

async function readOrSay(
  store: FsTopicStore,
  slug: StoredTopic["slug"],
): Promise<StoredTopic | UnreadableTopic> {
  try {
    return (await store.read(slug)) ?? { slug, sentence: `${slug}.md is gone` };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return { slug, sentence: error.message };
  }
}

export interface FixedFinding {
  readonly finding: Finding;
  readonly isFixed: boolean;
}

/** Mends what can be mended without asking anybody; every change is in the history, but for the secrets. */
export async function fixStore(
  input: ExamineInput & { readonly redact: Redact },
): Promise<readonly FixedFinding[]> {
  const findings = await examineStore(input);
  const withSecret = new Set(
    findings.filter(({ code }) => code === "SECRET").map(({ file }) => file),
  );
  // oxlint-disable-next-line no-await-in-loop -- one change after the other
  for (const file of withSecret) await removeSecrets(input, file.slice(0, -".md".length));
  await input.store.rebuildIndex();
  const left = await examineStore(input);
  const isLeft = (finding: Finding): boolean =>
    left.some(
      ({ code, file, sentence }) =>
        code === finding.code && file === finding.file && sentence === finding.sentence,
    );
  return findings.map((finding) => ({ finding, isFixed: !isLeft(finding) }));
}

/** The text without its secrets. */
export type Redact = (text: string) => Promise<string>;

async function removeSecrets(
  { store, redact }: { readonly store: FsTopicStore; readonly redact: Redact },
  name: string,
): Promise<void> {
  const topic = await store.read(name);
  if (topic === undefined) return;
  const text = await redact(topic.text);
  const { hash: ifMatch } = topic;
  await store.edit({
    name,
    text,
    ifMatch,
    author: { who: "person" },
    action: "fix",
    allowSecrets: true,
    allowMalformed: true,
  });
  await store.erase(name);
}
