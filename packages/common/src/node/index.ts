export { errorCode, hasCode } from "./error-code.ts";
export { readTextFile, type TextFile, type UnreadableReason } from "./read-text-file.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
