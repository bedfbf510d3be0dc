import { mergeIndex } from "../../../index-file/merge-index.ts";
import { foreignChanges } from "../history/external-changes.ts";
import { removeLeftovers } from "./leftovers.ts";
import { type LockedBench, record, writeIndex } from "./store-context.ts";
import { settleAsides } from "./recover-backups.ts";
import { namesIn, topicSlugs } from "../files/topic-files.ts";

/** The first time, the whole directory is looked through: later writes know what they did. */
export async function tidyStore(bench: LockedBench): Promise<void> {
  const { state, directory } = bench;
  const { history, disk } = state;
  await removeLeftovers(directory, state);
  await settleAsides({
    directory,
    disk,
    isRecorded: async (slug, text) =>
      (await history.read()).some(({ files }) =>
        files.some((file) => file.slug === slug && (file.before === text || file.after === text)),
      ),
    isRemoved: async (slug) => (await state.known.read()).get(slug) === null,
    record: (file) => record(bench, file),
    mergeIndex: async (text) => {
      const slugs = new Set(topicSlugs(namesIn(directory)));
      await writeIndex(bench, (now) => mergeIndex(now.text, text, (slug) => slugs.has(slug)));
    },
  });
  for (const file of await foreignChanges(directory, await state.known.read())) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other into one file
    await record(bench, file);
  }
}
