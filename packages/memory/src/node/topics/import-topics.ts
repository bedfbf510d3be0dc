import { MemoryError } from "../../errors.ts";
import { assertBodyFits } from "../../topic/check-topic.ts";
import { indexLines } from "../../topic/index-lines.ts";
import { sameTopic } from "../../topic/plan-write.ts";
import { type FindSecrets, refuseSecrets } from "../../topic/secret-gate.ts";
import { parseNewTopicSlug, type TopicSlug } from "../../topic/slug.ts";
import type { Author } from "../../topic/store.ts";
import { parseTopic } from "../../topic/topic.ts";
import type { StoreAccess } from "./store-access.ts";
import { readTopicFile } from "./topic-files.ts";

/** A topic file as another agent wrote it. */
export interface ForeignFile {
  readonly name: string;
  /** The whole file. */
  readonly text: string;
}

export interface ImportTopicsInput {
  readonly files: readonly ForeignFile[];
  readonly author: Author;
}

export type ImportedTopic =
  | { readonly kind: "imported"; readonly name: string }
  /** Nothing is overwritten. */
  | { readonly kind: "exists"; readonly name: string; readonly isSame: boolean }
  | { readonly kind: "refused"; readonly name: string; readonly sentence: string };

/** Takes topic files over as they are, all in one change, except those that are there already or cannot be taken. */
export async function importTopics(
  { access, findSecrets }: { readonly access: StoreAccess; readonly findSecrets: FindSecrets },
  { files, author }: ImportTopicsInput,
): Promise<readonly ImportedTopic[]> {
  const checked = await Promise.all(files.map((file) => checkFile(file, findSecrets)));
  return await access.write(async ({ directory, index, commit }) => {
    const known = indexLines(index).map(({ slug }) => slug);
    const results = await Promise.all(
      checked.map(async (file) =>
        "kind" in file ? file : ((await existing(directory, known, file)) ?? file),
      ),
    );
    const accepted = results.filter((result) => "slug" in result);
    const changes = accepted.map(({ slug, text }) => ({ slug, before: null, after: text }));
    if (changes.length > 0) await commit({ action: "import", author, files: changes });
    return results.map((result) =>
      "slug" in result ? { kind: "imported", name: result.slug } : result,
    );
  });
}

interface CheckedFile {
  readonly slug: TopicSlug;
  readonly text: string;
}

async function checkFile(
  { name, text }: ForeignFile,
  findSecrets: FindSecrets,
): Promise<CheckedFile | (ImportedTopic & { readonly kind: "refused" })> {
  try {
    const slug = parseNewTopicSlug(name);
    assertBodyFits(parseTopic(text).body);
    await refuseSecrets({ file: text }, findSecrets);
    return { slug, text };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { kind: "refused", name, sentence: error.message };
  }
}

async function existing(
  directory: string,
  known: readonly TopicSlug[],
  { slug, text }: CheckedFile,
): Promise<ImportedTopic | undefined> {
  const before = await readTopicFile(directory, sameTopic(slug, known) ?? slug);
  return before && { kind: "exists", name: slug, isSame: before.text === text };
}
