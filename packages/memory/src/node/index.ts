// Prompt: the prefix of a workspace.
export { type LoadedMemory, loadMemory, type LoadMemoryInput } from "./prompt/load-memory.ts";

// Project: workspaces and their homes.
export { findWorkspace, type Workspace } from "./project/workspace.ts";
export { openProjectHome, type ProjectHome } from "./project/home.ts";
export { adoptMemory } from "./project/adopt-memory.ts";
export { claudeMemoryDirectory } from "./project/claude-directory.ts";

// Approvals: what the user allowed permanently.
export { openApprovals, type OpenApprovalsInput } from "./approvals.ts";
export { approveFile } from "./change-approvals.ts";

// Topics: a store on disk.
export { type OpenedTopicStore, openTopicStore } from "./open-topic-store.ts";
export { createFsTopicStore, type FsTopicStore } from "./topics/fs-topic-store.ts";

// Doctor: problems of a store, and their repair.
export { diagnoseDirectory, type RepairedFinding, repairStore } from "./topics/doctor.ts";

// Search: the live index of everything stored.
export { createMemorySearch } from "../search/memory-search.ts";
export { createIndexCache } from "./search/index-cache.ts";
export type { IndexCache } from "../search/live-index/live-index.ts";
export { topicDirectorySource } from "./search/topic-directory.ts";
export { recallTopics, type RecallTopicsInput } from "./search/recall-topics.ts";
