import { MAX_TOPIC_BYTES } from "../../topic/limits.ts";
import { MemoryError } from "../../errors.ts";
import { type FindSecrets, refuseSecrets } from "../../topic/secret-gate.ts";
import { indexLines } from "../../topic/index-lines.ts";
import { sameTopic } from "../../topic/plan-write.ts";
import { parseNewTopicSlug, type TopicSlug } from "../../topic/slug.ts";
import type { Author } from "../../topic/store.ts";
import type { StoreAccess } from "./store-access.ts";
import { readTopicFile } from "./topic-files.ts";

export interface ImportTopicInput {
  readonly name: string;
  /** The whole file, as another agent wrote it. */
  readonly text: string;
  readonly author: Author;
}

export type ImportTopicResult =
  | { readonly kind: "imported"; readonly slug: TopicSlug; readonly change: string }
  /** Nothing is overwritten. */
  | { readonly kind: "exists"; readonly slug: TopicSlug; readonly isSame: boolean };

/**
 * Takes a topic file over as it is, unless there is one of that name.
 * @throws MemoryError `INVALID_SLUG`, `INVALID_TOPIC` or `SECRET_FOUND`
 */
export async function importTopic(
  { access, findSecrets }: { readonly access: StoreAccess; readonly findSecrets: FindSecrets },
  { name, text, author }: ImportTopicInput,
): Promise<ImportTopicResult> {
  const slug = parseNewTopicSlug(name);
  if (new TextEncoder().encode(text).length > MAX_TOPIC_BYTES) {
    throw new MemoryError("INVALID_TOPIC", `${slug} has more than ${MAX_TOPIC_BYTES} bytes`);
  }
  await refuseSecrets({ file: text }, findSecrets);
  return await access.write(async ({ directory, index, commit }): Promise<ImportTopicResult> => {
    const same = sameTopic(
      slug,
      indexLines(index).map((line) => line.slug),
    );
    const before = await readTopicFile(directory, same ?? slug);
    if (before !== undefined) return { kind: "exists", slug, isSame: before.text === text };
    const { change } = await commit({
      action: "import",
      author,
      files: [{ slug, before: null, after: text }],
    });
    return { kind: "imported", slug, change };
  });
}
