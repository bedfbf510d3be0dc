export type { Diagnostic } from "./diagnostic.ts";
export { type Environment, parsePositiveInteger, parseSwitch } from "./environment.ts";
export { nearest } from "./nearest.ts";
export {
  abbreviateHome,
  expandTilde,
  isAbsolutePath,
  joinPath,
  type PathStyle,
  pathStyleOf,
} from "./paths.ts";
export {
  terminalSafe,
  terminalSafeJson,
  terminalSafeJsonLine,
  terminalSafeLine,
} from "./terminal-safe.ts";
export { bytesOfTokens, estimateTokens, tokensOfBytes, utf8Bytes } from "./tokens.ts";
export {
  type UserDirectories,
  userDirectories,
  type UserDirectoriesInput,
} from "./user-directories.ts";
