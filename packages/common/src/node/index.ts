export { type Disk, nodeDisk } from "./disk.ts";
export { errorCode, hasCode } from "./error-code.ts";
export { type HeldLock, isLockOfNobody, type LockTiming, withLock } from "./file-lock.ts";
export { type Machine, thisMachine } from "./machine.ts";
export { readTextFile, type TextFile, type UnreadableReason } from "./read-text-file.ts";
export { realPathIfThere } from "./real-path.ts";
export { withFileLock } from "./with-file-lock.ts";
export { removeIfThere, removeQuietly, tryTwice } from "./remove-file.ts";
export { writeFileAtomic, writeNewFile } from "./write-file-atomic.ts";
