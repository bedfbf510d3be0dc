export type { BudgetSettings } from "./prompt/budget.ts";
export type { Approval } from "./project/approvals.ts";
export type { ExtraBlock } from "./prompt/candidates.ts";
export { CLAUDE_DIRECTORY, claudeHome, claudeProjectName } from "./project/claude-code.ts";
export { MemoryError, type MemoryErrorCode } from "./errors.ts";
export { type MemoryLocations, locateMemory, type LocateMemoryInput } from "./project/locations.ts";
export type { Candidate, LoadedFile, NotLoaded } from "./prompt/loaded-file.ts";
export { buildPrefix, type MemoryPrefix, type PrefixInput } from "./prompt/prefix.ts";
export type {
  MemoryServer,
  MemoryNotice,
  ReasonCode,
  Receipt,
  ReceiptEntry,
  ReceiptStatus,
} from "./prompt/receipt.ts";
export { type ChosenSettings, DEFAULT_SETTINGS, type MemorySettings } from "./prompt/settings.ts";
export { sanitize } from "./prompt/sanitize.ts";
export {
  renderExplanation,
  renderGlobalWarning,
  renderStartLine,
  renderSummary,
  type SummaryInput,
} from "./prompt/summary.ts";
export type { FileKind, TierKind } from "./prompt/tier.ts";
export { type Sha256Hex, workspaceSlug } from "./project/slug.ts";
export { deferredSearch } from "./search/deferred-search.ts";
export { recalledSlugs, type RecalledTopic, recallNote } from "./search/recall/recall-note.ts";
export { ageInWords, ageWithWarning } from "./topics/age.ts";
export {
  type Change,
  type ChangeAction,
  type FileChange,
  type IndexTexts,
  type Origin,
  undoneIds,
} from "./history/change.ts";
export { deferredTopicStore } from "./store/lazy-store.ts";
export type { Finding } from "./store/doctor.ts";
export {
  INDEX_FILE,
  MAX_BODY_BYTES,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_INDEX_BYTES,
  MAX_INDEX_LINES,
  MAX_TOPIC_BYTES,
} from "./topics/limits.ts";
export { createMapTopicStore, type MapTopicStoreInput } from "./store/map-topic-store.ts";
export type { FindSecrets } from "./store/secrets.ts";
export { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "./topics/slug.ts";
export type {
  Author,
  Conflict,
  EditTopicInput,
  EditTopicResult,
  RebuiltIndex,
  RemoveTopicInput,
  RemoveTopicResult,
  RenameTopicInput,
  RenameTopicResult,
  StoredTopic,
  TopicList,
  TopicStore,
  TopicSummary,
  UnreadableTopic,
  WriteTopicInput,
  WriteTopicResult,
} from "./store/topic-store.ts";
export {
  type ParsedTopic,
  parseTopicHeader,
  type TopicHeader,
  type TopicProblem,
} from "./topics/parse-topic.ts";
export { isTopicType, TOPIC_TYPES, type TopicType } from "./topics/topic-type.ts";
export { TIER_TAGS } from "./prompt/tier.ts";
