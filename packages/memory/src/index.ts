export { MemoryError } from "./errors.ts";

// The prompt prefix: candidates, prepare, budget, splice.
export type { ExtraBlock } from "./prompt/candidates.ts";
export { buildPrefix, type MemoryPrefix } from "./prompt/prefix.ts";
export { sanitize } from "./prompt/sanitize.ts";
export { TIER_TAGS } from "./prompt/tier.ts";

// The receipt of what was loaded and why, and how to show it.
export type { MemoryNotice } from "./notice.ts";
export type { MemoryServer, Receipt, ReceiptEntry } from "./prompt/receipt.ts";
export {
  renderExplanation,
  renderGlobalWarning,
  renderStartLine,
  renderSummary,
} from "./prompt/summary.ts";

// Where the memory of a project is.
export type { Approval } from "./project/approvals.ts";
export { CLAUDE_DIRECTORY, claudeHome, claudeProjectName } from "./project/claude-code.ts";
export { locateMemory } from "./project/locations.ts";

export { lazyMemorySearch } from "./search/lazy-search.ts";
export { recalledSlugs, type RecalledTopic, recallNote } from "./search/recall/recall-note.ts";
export { formatAge, formatAgeWithWarning } from "./topics/age.ts";
export {
  type Change,
  type ChangeAction,
  type FileChange,
  type IndexTexts,
  type Origin,
} from "./history/change.ts";
export { undoneIds } from "./history/undo.ts";
export { lazyTopicStore } from "./store/lazy-store.ts";
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
