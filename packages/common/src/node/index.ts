export { errorCode, hasCode } from "./error-code.ts";
export { readTextFile, type TextFile, type UnreadableReason } from "./read-text-file.ts";
export { realPathIfThere } from "./real-path.ts";
export { withFileLock } from "./with-file-lock.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
