import { isMemoryError, MAX_TOPIC_BYTES, parseNewTopicSlug } from "@caliban/memory";
import { findSecrets } from "@caliban/memory/node";
import type { RefusedEntry } from "../../team/changes.ts";
import type { UnusableCode } from "../../team/sync-result.ts";
import { refusal, type TreeEntry } from "../../tree/parse-tree.ts";
import { readEntries, type TopicEntries } from "../../tree/read-entries.ts";
import { listTree, readBlobs } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";

export const FORMAT_TEXT = "1\n";
/** The directories of the shared memory. */
export const TOPICS = "topics";
export const REMOVED = "removed";
const FORMAT = "format";
const MAX_ROOT_ENTRIES = 100;

/** The files of the shared memory that may be used, as far as their modes, names and sizes tell. */
export interface TeamTree {
  readonly topics: TopicEntries;
  readonly removed: TopicEntries;
  readonly refused: readonly RefusedEntry[];
}

const NOTHING: TopicEntries = { files: new Map(), kept: [], refused: [] };
export const EMPTY: TeamTree = { topics: NOTHING, removed: NOTHING, refused: [] };

export interface Unusable {
  readonly code: UnusableCode;
  readonly message: string;
}

export async function readTree(repository: Repository, head: string): Promise<TeamTree | Unusable> {
  const root = await listTree(repository, head, MAX_ROOT_ENTRIES);
  if (root === "damaged") return DAMAGED;
  if (root === "too-many") {
    return {
      code: "NOT_TEAM_MEMORY",
      message: "the ref has a tree of other files, not team memory",
    };
  }
  const format = await checkFormat(repository, root);
  if (format !== undefined) return format;
  const [topics, removed] = [
    await readDirectory(repository, root, TOPICS),
    await readDirectory(repository, root, REMOVED),
  ];
  if ("code" in topics) return topics;
  if ("code" in removed) return removed;
  const known = new Set([FORMAT, TOPICS, REMOVED]);
  const refused = root
    .filter(({ name, mode }) => !known.has(name ?? "") || (name !== FORMAT && mode !== "040000"))
    .map(({ shown, mode }) =>
      known.has(shown)
        ? refusal(shown, "NOT_A_FILE", `it is not a directory (mode ${mode})`)
        : refusal(shown, "UNKNOWN_ENTRY", "it does not belong to the team memory"),
    );
  return { topics, removed: withoutTopics(removed, topics), refused };
}

const DAMAGED: Unusable = {
  code: "DAMAGED_OBJECTS",
  message: "git cannot read the objects of the shared memory",
};

async function checkFormat(
  repository: Repository,
  root: readonly TreeEntry[],
): Promise<Unusable | undefined> {
  const format = root.find(({ name }) => name === FORMAT);
  if (format?.mode !== "100644" || (format.bytes ?? Infinity) > 100) {
    return { code: "NOT_TEAM_MEMORY", message: "the ref has other files, not team memory" };
  }
  const blobs = await readBlobs(repository, [{ oid: format.oid, bytes: format.bytes ?? 0 }]);
  const text = blobs.get(format.oid)?.toString("utf8");
  if (text === FORMAT_TEXT) return undefined;
  return {
    code: "NEWER_FORMAT",
    message: "a newer version wrote the team memory; update this program",
  };
}

async function readDirectory(
  repository: Repository,
  root: readonly TreeEntry[],
  directory: typeof TOPICS | typeof REMOVED,
): Promise<TopicEntries | Unusable> {
  const { maxTopics, maxRemoved } = repository.limits;
  const maxEntries = directory === TOPICS ? maxTopics : maxRemoved;
  const tree = root.find(({ name, mode }) => name === directory && mode === "040000");
  if (tree === undefined) return NOTHING;
  const entries = await listTree(repository, tree.oid, maxEntries);
  if (entries === "damaged") return DAMAGED;
  if (entries === "too-many") {
    return {
      code: "TOO_MANY_TOPICS",
      message: `${directory}/ has more than ${maxEntries} files`,
    };
  }
  const maxBytes = directory === TOPICS ? MAX_TOPIC_BYTES : MAX_TOMBSTONE_BYTES;
  const secretNames = await findSecretNames(entries);
  const findProblem = (slug: string): string | undefined =>
    secretNames.has(slug) ? "it looks like a secret" : nameProblem(slug);
  return readEntries({ directory, entries, maxBytes, findNameProblem: findProblem });
}

const MAX_TOMBSTONE_BYTES = 1_000;

/** A name would be in every tree that is pushed. All are searched at once, because each search has a fixed cost. */
async function findSecretNames(entries: readonly TreeEntry[]): Promise<ReadonlySet<string>> {
  const slugs = entries
    .map(({ name = "" }) => name.replace(/\.md$/, ""))
    .filter(
      (slug) =>
        slug.length >= 12 &&
        !/^[a-z]+(?:-[a-z]+)*(?:-\d{1,4})?$/.test(slug) &&
        !slug.includes("\n"),
    );
  if (slugs.length === 0) return new Set();
  const found = await findSecrets(slugs.join("\n\n"));
  return new Set(found.map(({ line }) => slugs[(line - 1) / 2] ?? ""));
}

function nameProblem(slug: string): string | undefined {
  try {
    return parseNewTopicSlug(slug) === slug ? undefined : "its name is not in Unicode NFC";
  } catch (error) {
    if (isMemoryError(error)) return error.message;
    throw error;
  }
}

/** A topic that exists again has no tombstone. */
function withoutTopics(removed: TopicEntries, topics: TopicEntries): TopicEntries {
  const files = [...removed.files].filter(([slug]) => !topics.files.has(slug));
  return { ...removed, files: new Map(files) };
}
