import type { Change, FileChange } from "../../topic/change.ts";
import type { TopicSlug } from "../../topic/slug.ts";

/**
 * What is left to do of a change that somebody began and did not finish. A file that is neither as it was before nor
 * as it was to be was changed by hand since: it stays, and nothing of the change is forced on it.
 */
export async function remainingFiles(
  change: Change,
  readText: (slug: TopicSlug) => Promise<string | null>,
): Promise<readonly FileChange[]> {
  const files = await Promise.all(
    change.files.map(async ({ slug, before, after }) => {
      const now = await readText(slug);
      return { slug, before: now, after: now === before ? after : now };
    }),
  );
  return files;
}
