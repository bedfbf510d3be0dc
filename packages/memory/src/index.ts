// The error that every entry throws.
export { isMemoryError, MemoryError } from "./errors.ts";

// Prompt: from texts to the prefix.
export type { ExtraBlock } from "./prompt/candidates.ts";
export { buildPrefix } from "./prompt/prefix.ts";
export { sanitize } from "./prompt/sanitize.ts";
export { sanitizeOutput } from "./prompt/sanitize-output.ts";
export { TIER_TAGS } from "./prompt/tier.ts";

// Receipt: what was loaded and why, and how to show it.
export type { MemoryServer, Receipt } from "./prompt/receipt.ts";
export { renderReceipt } from "./prompt/render-receipt.ts";

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
export { linkedSlugs } from "./topics/links.ts";
export { parseNewTopicSlug, slugKey } from "./topics/slug.ts";
export { parseTopic, renderTopic, type TopicContent } from "./topics/topic-file.ts";
export type { EvidenceState } from "./topics/evidence-state.ts";
export type { Applies, Evidence, MemoryOrigin } from "./topics/topic-fields.ts";
export type { ParsedTopic } from "./topics/topic-header.ts";
export { TOPIC_TYPES, type TopicType } from "./topics/topic-type.ts";

// Index: the lines that every session sees.
export { indexSize } from "./index-file/index-size.ts";

// Store: reading and changing topics.
export {
  checkTopicFile,
  type CheckedTopicFile,
  type CheckTopicFileInput,
} from "./store/check-topic-file.ts";
export { createTopicStore } from "./store/create-topic-store.ts";
export { createMapBackend } from "./store/map-backend.ts";
export { createMapTopicStore } from "./store/map-topic-store.ts";
export { lazyTopicStore } from "./store/lazy-store.ts";
export type { Finding } from "./store/doctor.ts";
export type {
  BackendEntry,
  CommitRequest,
  CommitResult,
  EntryChange,
  HistoryPage,
  HistoryRequest,
  ListedEntry,
  ListedPage,
  ListRequest,
  TopicBackend,
  UnreadableEntry,
} from "./store/topic-backend.ts";
export type {
  Author,
  Conflict,
  Scope,
  StoredTopic,
  TopicList,
  TopicStore,
  TopicSummary,
  WriteTopicResult,
} from "./store/topic-store.ts";

// History: the changes of a store.
export type { Change } from "./history/change.ts";
export { undoneIds } from "./history/undo.ts";

// Inbox: changes that wait for the user.
export type {
  EnforcementSuggestion,
  Proposal,
  ProposalReason,
  ProposalRequest,
  ProposedTopic,
} from "./inbox/proposal.ts";

// Notes: memories that are shown when they apply.
export { type FramedNote, framedNotes, withoutNotes } from "./notes/note-frame.ts";
export type { Note, NoteRequest, NoteTrigger } from "./notes/note.ts";
export { renderNote, type RenderNoteInput } from "./notes/render-note.ts";

// Use: whether notes helped.
export {
  noteEffect,
  type NoteEffect,
  type NoteEffectInput,
  type NoteStep,
} from "./use/note-effect.ts";
export {
  type MemoryUse,
  unusedTopics,
  type UnusedTopicsInput,
  type UseCounts,
  type UseEvent,
} from "./use/use-counts.ts";

// Search: what the tools and the prompt need of it; the rest is in ./search.
export { createStoreSearch, type StoreSearchOptions } from "./search/store-search.ts";
export { recalledSlugs } from "./search/recall/recall-note.ts";
