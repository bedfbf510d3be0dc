// The error that every entry throws.
export { MemoryError } from "./errors.ts";

// Prompt: from texts to the prefix.
export type { ExtraBlock } from "./prompt/candidates.ts";
export { buildPrefix } from "./prompt/prefix.ts";
export { sanitize } from "./prompt/sanitize.ts";
export { TIER_TAGS } from "./prompt/tier.ts";

// Receipt: what was loaded and why, and how to show it.
export type { MemoryServer, Receipt } from "./prompt/receipt.ts";
export {
  renderExplanation,
  renderGlobalWarnings,
  renderStartLine,
  renderSummary,
} from "./prompt/summary.ts";

// Project: where its memory is.
export { CLAUDE_DIRECTORY, claudeHome, claudeProjectName } from "./project/claude-code.ts";
export { locateMemory } from "./project/locations.ts";

// Topics: what the agent writes.
export { formatAge, formatAgeWithWarning } from "./topics/age.ts";
export {
  INDEX_FILE,
  MAX_BODY_BYTES,
  MAX_DESCRIPTION_CHARACTERS,
  MAX_INDEX_BYTES,
  MAX_INDEX_LINES,
  MAX_TOPIC_BYTES,
} from "./topics/limits.ts";
export type { ParsedTopic } from "./topics/parse-topic.ts";
export { parseNewTopicSlug, slugKey } from "./topics/slug.ts";
export { isTopicType, TOPIC_TYPES, type TopicType } from "./topics/topic-type.ts";

// Store: reading and changing topics.
export { createMapTopicStore } from "./store/map-topic-store.ts";
export { lazyTopicStore } from "./store/lazy-store.ts";
export type { Finding } from "./store/doctor.ts";
export type {
  Author,
  Conflict,
  StoredTopic,
  TopicList,
  TopicStore,
  TopicSummary,
  WriteTopicResult,
} from "./store/topic-store.ts";

// History: the changes of a store.
export type { Change, Origin } from "./history/change.ts";
export { undoneIds } from "./history/undo.ts";

// Search: what the tools and the prompt need of it; the rest is in ./search.
export { lazyMemorySearch } from "./search/lazy-search.ts";
export { recalledSlugs, type RecalledTopic, recallNote } from "./search/recall/recall-note.ts";
