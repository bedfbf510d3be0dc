import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { isOpenFileAt, realPathIfExists } from "@caliban/common/node";
import type { Located } from "../locate.ts";
import { moved } from "./open-file.ts";

/** A directory that stays the same one while something is done in it. */
export interface HeldDirectory {
  /** A path that leads into the directory. */
  readonly base: string;
  /** @throws FileToolError when it leads elsewhere by now */
  readonly check: () => void;
  readonly release: () => void;
}

/**
 * On Linux the directory itself is held, so that no exchange of names on the way to it can lead elsewhere; on others,
 * `check` right before the use is what can be done.
 *
 * @throws FileToolError when it is no longer where it was located
 */
export function holdDirectory(located: Located, directory: string): HeldDirectory {
  const check = (): void => {
    if (realPathIfExists(directory) !== directory) throw moved(located);
  };
  check();
  const descriptor = openDirectory(directory);
  if (descriptor === undefined) return { base: directory, check, release: () => undefined };
  const release = (): void => closeSync(descriptor);
  if (!isOpenFileAt(descriptor, directory, fstatSync(descriptor))) {
    release();
    throw moved(located);
  }
  return { base: `/proc/self/fd/${descriptor}`, check: () => undefined, release };
}

function openDirectory(directory: string): number | undefined {
  if (!existsSync("/proc/self/fd")) return undefined;
  return openSync(directory, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY);
}
