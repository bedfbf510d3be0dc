export {
  command,
  type CommandMessage,
  type CommandReference,
  shellCommand,
  spellCommands,
  type SpellCommand,
  withCommands,
} from "./command-message.ts";
export {
  type CommandText,
  parseCommandText,
  renderCommandText,
  typedPart,
  writtenPart,
} from "./command-text.ts";
export { parseUserCommand, renderUserCommand, type UserCommand } from "./command-output.ts";
export type { Diagnostic } from "./diagnostic.ts";
export { type Environment, parsePositiveInteger, parseFlag } from "./environment.ts";
export type { StopSignal } from "./stop-signal.ts";
export { isErrorNamed } from "./error-name.ts";
export {
  HOOK_TAG,
  type HookText,
  hookTextsIn,
  renderHookText,
  withoutHookTexts,
} from "./hook-output.ts";
export { isRecord, parseJson, parseJsonRecord } from "./json.ts";
export { idAtEnds } from "./json-rpc-id.ts";
export { createLineSplitter, type InputLine, type LineSplitter } from "./line-splitter.ts";
export { type DiffHunk, diffLines, splitLines } from "./line-diff.ts";
export { isLoopback } from "./loopback.ts";
export { nearest } from "./nearest.ts";
export { type NumberedLine, parseNumberedDiff, renderHunk } from "./numbered-diff.ts";
export {
  abbreviateHome,
  expandTilde,
  isAbsolutePath,
  joinPath,
  type PathStyle,
  pathStyleOf,
} from "./paths.ts";
export { countChoices, isBoundedPattern } from "./pattern-limits.ts";
export {
  createInterruptibleQueue,
  createQueue,
  type InterruptibleQueue,
  type Queue,
} from "./queue.ts";
export { isSecretPath } from "./secret-path.ts";
export { requireArguments } from "./require-arguments.ts";
export {
  terminalSafe,
  terminalSafeJson,
  terminalSafeJsonLine,
  terminalSafeLine,
} from "./terminal-safe.ts";
export { splitArguments } from "./split-arguments.ts";
export { timeAgo } from "./time-ago.ts";
export { tokensToBytes, estimateTokens, bytesToTokens, utf8Bytes } from "./tokens.ts";
export {
  type NativeDirectories,
  type UserDirectories,
  userDirectories,
  type UserDirectoriesInput,
} from "./user-directories.ts";
export { hang, wrapLines, wrapText } from "./wrap-text.ts";
