import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, isSymlink, lstatIfExists, realPathIfExists } from "@caliban/common/node";
import { runsOtherPrograms } from "../../protection/package-scripts.ts";
import type { ProtectedEntries } from "./protected-entries.ts";

/** A change of a protected file that was undone. */
export interface UndoneChange {
  readonly path: string;
  /** Where the new version is now. `undefined` if it could not be moved. */
  readonly movedTo: string | undefined;
}

/**
 * Undoes what a command did to protected files, after everything it started has ended. Existing files were read-only, so
 * what is left are new files, replaced links, what `package.json` runs, and the steps of a rebase. Nothing is deleted: new versions are renamed.
 */
export function undoProtectedChanges(
  before: ProtectedEntries,
  after: ProtectedEntries,
): readonly UndoneChange[] {
  const added = [...after.entries.keys()].filter((path) => !before.entries.has(path));
  return [
    ...added.map((path) => ({ path, movedTo: renameBlocked(path) })),
    ...restoredLinks(before, after),
    ...restoredManifests(before, after),
    ...restoredSteps(before, after),
  ];
}

function restoredLinks(before: ProtectedEntries, after: ProtectedEntries): readonly UndoneChange[] {
  return [...before.entries].flatMap(([path, { kind, target }]) => {
    if (kind !== "link" || target === undefined) return [];
    if (after.entries.get(path)?.target === target) return [];
    // Its directory may be gone, or a link that leads out of the workspace.
    if (realPathIfExists(dirname(path)) !== dirname(path)) return [];
    const movedTo = lstatIfExists(path) === undefined ? undefined : renameBlocked(path);
    ignoreSystemError(() => symlinkSync(target, path));
    return [{ path, movedTo }];
  });
}

function restoredManifests(
  before: ProtectedEntries,
  after: ProtectedEntries,
): readonly UndoneChange[] {
  return [...after.manifests].flatMap(([path, text]) => {
    const old = before.manifests.get(path);
    if (!runsOtherPrograms(old, text)) return [];
    const movedTo = renameBlocked(path);
    if (old !== undefined) ignoreSystemError(() => writeFileSync(path, old, { flag: "wx" }));
    return [{ path, movedTo }];
  });
}

/** A rebase that the user continues runs its steps. A command may take steps away, as Git does, and add others. */
function restoredSteps(before: ProtectedEntries, after: ProtectedEntries): readonly UndoneChange[] {
  return [...after.rebaseSteps].flatMap(([path, text]) => {
    const old = before.rebaseSteps.get(path) ?? "";
    const known = new Set(commandSteps(old));
    if (commandSteps(text).every((step) => known.has(step))) return [];
    // Its directory may be a link now, and lead out of the repository.
    if (isSymlink(dirname(path))) return [{ path, movedTo: renameBlocked(dirname(path)) }];
    const movedTo = renameBlocked(path);
    if (old !== "") ignoreSystemError(() => writeFileSync(path, old, { flag: "wx" }));
    return [{ path, movedTo }];
  });
}

function commandSteps(text: string): readonly string[] {
  return text.split("\n").filter((line) => /^\s*(?:x|exec)\s/.test(line));
}

const MAX_ATTEMPTS = 100;

/** Renames a file to a name that no tool reads. */
function renameBlocked(path: string): string | undefined {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const target = `${path}.blocked${attempt === 1 ? "" : `-${attempt}`}`;
    if (lstatIfExists(target) !== undefined) continue;
    return ignoreSystemError(() => {
      renameSync(path, target);
      return target;
    });
  }
  return undefined;
}

/** A file that is gone in the meantime needs no care. */
function ignoreSystemError<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
