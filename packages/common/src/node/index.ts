export { type Connections, createConnections } from "./http/connections.ts";
export { coverDescriptors } from "./cover-descriptors.ts";
export { type Disk, nodeDisk } from "./disk.ts";
export { errorCode, hasCode } from "./error-code.ts";
export {
  isOpenFileAt,
  isSymlink,
  listEntries,
  listNames,
  lstatIfExists,
  realPathIfExists,
  statIfExists,
} from "./fs.ts";
export {
  type HeldDirectory,
  holdDirectory,
  holdNewDirectory,
  listHeldEntries,
} from "./held-directory.ts";
export { linkIfFree, NO_HARD_LINKS } from "./link-file.ts";
export { type HeldLock, withFileLock, withLock } from "./lock/file-lock.ts";
export type { LockTiming } from "./lock/lock-file.ts";
export { isStaleLock } from "./lock/stale-parts.ts";
export { type Machine, thisMachine } from "./lock/machine.ts";
export { createProcessGroup, type ProcessGroup } from "./process-group.ts";
export { randomHex } from "./random-hex.ts";
export { readTextFile, type TextFile, type UnreadableReason } from "./read-text-file.ts";
export { removeIfExists, removeQuietly, tryTwice } from "./remove-file.ts";
export { runUntrustedGit } from "./untrusted-git.ts";
export { findWayOut } from "./way-out.ts";
export { createFileAtomic, writeFileAtomic, writeNewFile } from "./write-file-atomic.ts";
