export type { Activation } from "./prompt/activate.ts";
export type { ApprovalAnswer } from "./prompt/read-allowed-file.ts";
export { type AdoptedProject, adoptMemory, type AdoptMemoryInput } from "./project/adopt-memory.ts";
export { claudeMemoryDirectory } from "./project/claude-directory.ts";
export { approveFile, type ApproveFileInput } from "./change-approvals.ts";
export {
  type LoadedMemory,
  loadMemory,
  type LoadMemoryInput,
  type ReadExtraBlocks,
} from "./prompt/load-memory.ts";
export {
  createPermissionApprovals,
  type KeptPermissions,
  type PermissionApprovalsInput,
} from "./permission-approvals.ts";
export { createServerApprovals, type KeptServers } from "./server-approvals.ts";
export { findWorkspace, type Workspace } from "./project/workspace.ts";
export {
  openProjectHome,
  type OpenProjectHomeInput,
  type ProjectHome,
} from "./project/home.ts";
export {
  openTopicStore,
  type OpenedTopicStore,
  type OpenTopicStoreInput,
} from "./open-topic-store.ts";
export { createMemoryFinder, type MemoryFinderInput } from "../search/memory-search.ts";
export type { FreshIndex, SearchCache } from "../search/live-index/live-index.ts";
export { recallTopics, type RecallTopicsInput } from "./search/recall-topics.ts";
export { createSearchCache, type SearchCacheInput } from "./search/index-cache.ts";
export { topicsSource } from "./search/topic-directory.ts";
export {
  examineStore,
  type ExamineInput,
  type FixedFinding,
  type FixInput,
  fixStore,
  type Redact,
} from "./topics/doctor.ts";
export {
  createFsTopicStore,
  type FsTopicStore,
  type FsTopicStoreInput,
} from "./topics/fs-topic-store.ts";
export type {
  ForeignFile,
  ImportedIndex,
  ImportedTopic,
  ImportedTopics,
  ImportTopicsInput,
} from "./topics/import-topics.ts";
export { readStoreFiles, type StoreFiles } from "./topics/files/store-files.ts";
export type { TopicHistory, UndoInput, UndoneChange } from "./topics/topic-history.ts";
