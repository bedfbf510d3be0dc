import {
  type Disk,
  errorCode,
  hasCode,
  type HeldLock,
  removeQuietly,
  writeNewFile,
} from "@caliban/common/node";
import { giveName, keepBeside } from "./conflict-copy.ts";
import { asidePath } from "../files/topic-files.ts";
import { holdsText, isPlainFile, removePlainFile } from "../files/plain-file.ts";

/** What files are changed with. */
export interface SwapBench {
  readonly directory: string;
  readonly disk: Disk;
  readonly held: HeldLock;
}

/** The text that a change was based on, and the one that it puts there; `null` stands for no file. */
export interface Swap {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The text before: a file is held against it several times, and an index can be long. */
  readonly bytesBefore: Buffer | null;
}

export function swapOf({ path, before, after }: Omit<Swap, "bytesBefore">): Swap {
  return { path, before, after, bytesBefore: before === null ? null : Buffer.from(before) };
}

/** Whether it was done, or somebody else had changed the file, which is then as they left it. */
export type Swapped =
  | { readonly kind: "swapped" }
  | {
      readonly kind: "changed";
      /** Whether what was there before is kept aside, because somebody put another file in its place meanwhile. */
      readonly isAside: boolean;
    };

const CHANGED: Swapped = { kind: "changed", isAside: false };
const KEPT_ASIDE: Swapped = { kind: "changed", isAside: true };
const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Puts a text in the place of another. Others write here without our lock, and a rename would overwrite what they put
 * there a moment before it. So what is there is moved aside, looked at, and only then is the new file linked to the
 * name, which fails when somebody took it: nobody's text is ever overwritten. The directory is for the caller to sync.
 */
export async function swapFile(bench: SwapBench, swap: Swap): Promise<Swapped> {
  const { disk, held } = bench;
  const { path, bytesBefore, after } = swap;
  const temporary = temporaryOf(path);
  // The lock is ours, so what is left there is of somebody who died.
  await removePlainFile(disk, temporary);
  if (isPlainFile(asidePath(path)) && !holdsText(asidePath(path), bytesBefore)) return KEPT_ASIDE;
  isPlainFile(path);
  if (!holdsText(path, bytesBefore)) return CHANGED;
  await removePlainFile(disk, asidePath(path));
  try {
    if (after !== null) await writeNewFile(disk, temporary, after);
    await held.assertHeld();
    const swapped = await exchange(disk, swap);
    if (swapped.kind === "changed") await removeQuietly(disk, temporary);
    return swapped;
  } catch (error) {
    // Whoever took the lock over uses these names now.
    if (!isLost(error)) await removeQuietly(disk, temporary);
    throw error;
  }
}

/** Whether another process was given the lock, because this one showed no sign of life for too long. */
export function isLost(error: unknown): boolean {
  return hasCode(error, "ELOST");
}

async function exchange(disk: Disk, { path, before, after, bytesBefore }: Swap): Promise<Swapped> {
  if (before !== null && !(await moveAside(disk, path))) return CHANGED;
  if (before !== null && !holdsText(asidePath(path), bytesBefore)) {
    return (await putBack(disk, path)) ? CHANGED : KEPT_ASIDE;
  }
  if (after === null) return { kind: "swapped" };
  try {
    if (await place(disk, path)) return { kind: "swapped" };
    return before === null ? CHANGED : KEPT_ASIDE;
  } catch (error) {
    if (before !== null && errorCode(error) !== undefined) await putBack(disk, path);
    throw error;
  }
}

/** Whether something was there to be moved. */
async function moveAside(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.rename(path, asidePath(path));
    return true;
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return false;
  }
}

/** Gives the new file its name; whether the name was free. */
async function place(disk: Disk, path: string): Promise<boolean> {
  const temporary = temporaryOf(path);
  try {
    await disk.link(temporary, path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
    // A file has only one name here, so the moment after this look is all that is left to others.
    if (isPlainFile(path)) return false;
    await disk.rename(temporary, path);
    return true;
  }
  await removeQuietly(disk, temporary);
  return true;
}

/** Gives what was moved aside its name back; whether the name was free. */
export async function putBack(disk: Disk, path: string): Promise<boolean> {
  return await giveName(disk, asidePath(path), path);
}

/** Takes a swap back; whether what it put there was still there. */
export async function unswapFile(disk: Disk, { path, before, after }: Swap): Promise<boolean> {
  const temporary = temporaryOf(path);
  if (after !== null) {
    if (!holdsText(path, after)) return false;
    await disk.rename(path, temporary);
    if (!holdsText(temporary, after)) {
      // Somebody changed it in this very moment: it stays, also when another one has its name by now.
      if (!(await giveName(disk, temporary, path))) await keepBeside(disk, temporary, path);
      return false;
    }
  }
  const isBack = before === null || (await putBack(disk, path));
  if (after !== null) await removeQuietly(disk, temporary);
  return isBack;
}

function temporaryOf(path: string): string {
  return `${path}.tmp`;
}
