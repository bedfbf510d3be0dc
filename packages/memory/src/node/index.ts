// The prompt prefix.
export { type LoadedMemory, loadMemory, type LoadMemoryInput } from "./prompt/load-memory.ts";

// Workspaces, projects and where their memory is.
export { adoptMemory } from "./project/adopt-memory.ts";
export { claudeMemoryDirectory } from "./project/claude-directory.ts";
export { openProjectHome, type ProjectHome } from "./project/home.ts";
export { findWorkspace, type Workspace } from "./project/workspace.ts";

// What the user approved.
export { openApprovals, type OpenApprovalsInput } from "./approvals.ts";
export { approveFile } from "./change-approvals.ts";

// Topics on disk.
export { type OpenedTopicStore, openTopicStore } from "./open-topic-store.ts";
export { createMemorySearch, type MemorySearchInput } from "../search/memory-search.ts";
export type { RefreshedIndex, IndexCache } from "../search/live-index/live-index.ts";
export { recallTopics, type RecallTopicsInput } from "./search/recall-topics.ts";
export { createIndexCache, type IndexCacheInput } from "./search/index-cache.ts";
export { topicDirectorySource } from "./search/topic-directory.ts";
export {
  diagnoseDirectory,
  type DiagnoseInput,
  type RepairedFinding,
  type RepairStoreInput,
  repairStore,
  type Redact,
} from "./topics/doctor.ts";
export {
  createFsTopicStore,
  type FsTopicStore,
  type FsTopicStoreInput,
} from "./topics/fs-topic-store.ts";
export type {
  ImportFile,
  ImportedIndex,
  ImportedTopic,
  ImportedTopics,
  ImportTopicsInput,
} from "./topics/import-topics.ts";
export { readStoreFiles, type StoreFiles } from "./topics/files/store-files.ts";
export type { TopicHistory, UndoInput, UndoneChange } from "./topics/topic-history.ts";
