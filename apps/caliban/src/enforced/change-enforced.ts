import { errorCode, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { UsageError } from "../usage-error.ts";
import { type EnforcedEntry, isSameEntry, renderEnforcedFile } from "./enforced-file.ts";
import { type EnforcedLocation, enforcedPath, readEnforced } from "./enforced-store.ts";

type Location = Pick<EnforcedLocation, "environment">;

/** Adds rules. One that exists already gets the new reason. */
export async function addEnforced(
  location: Location,
  added: readonly EnforcedEntry[],
): Promise<void> {
  await changeEnforced(location, (entries) => [
    ...entries.filter((entry) => !added.some((each) => isSameEntry(each, entry))),
    ...added,
  ]);
}

/** Removes the rules that match, and returns them. */
export async function removeEnforced(
  location: Location,
  matches: (entry: EnforcedEntry) => boolean,
): Promise<readonly EnforcedEntry[]> {
  let removed: readonly EnforcedEntry[] = [];
  await changeEnforced(location, (entries) => {
    removed = entries.filter(matches);
    return entries.filter((entry) => !matches(entry));
  });
  return removed;
}

/** Lets the rules of a repository follow it to another path. */
export async function moveEnforced(
  location: Location,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (!readEnforced(location).entries.some(({ project }) => project === from)) return;
  await changeEnforced(location, (entries) =>
    entries.map((entry) =>
      entry.project === from ? Object.assign({}, entry, { project: to }) : entry,
    ),
  );
}

/**
 * Changes the list in one step, so that neither another process nor a crash loses a rule.
 * @throws UsageError if the file is damaged, which leaves it as it is, or cannot be written
 */
async function changeEnforced(
  location: Location,
  change: (entries: readonly EnforcedEntry[]) => readonly EnforcedEntry[],
): Promise<void> {
  const path = enforcedPath(location);
  if (path === undefined) {
    throw new UsageError("no home directory found, so enforced rules cannot be stored; set HOME");
  }
  try {
    await withFileLock(path, async () => {
      const { entries, values } = readEnforced(location);
      await writeFileAtomic(path, renderEnforcedFile(values, change(entries)));
    });
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new UsageError(`cannot write ${path} (${code}); nothing was changed`);
  }
}
