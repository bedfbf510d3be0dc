// Prompt: the prefix of a workspace.
export {
  type LoadedMemory,
  loadMemory,
  type LoadMemoryInput,
  type TeamMemory,
} from "./prompt/load-memory.ts";

// Project: workspaces and their homes.
export { findWorkspace, type Workspace } from "./project/workspace.ts";
export { openProjectHome, type ProjectHome } from "./project/home.ts";
export { type ProjectPath, resolveProjectPath } from "./project/worktree.ts";
export { workspaceMentions } from "./project/workspace-names.ts";
export { type KnownProject, listProjects } from "./project/list-projects.ts";
export { sharedProjectNames } from "./project/shared-project-names.ts";
export {
  type CheckoutIdentity,
  checkoutRemotes,
  identifyCheckout,
} from "./project/checkout-identity.ts";
export { adoptMemory } from "./project/adopt-memory.ts";
export { findClaudeMemory } from "./project/find-claude-memory.ts";

// Approvals: what the user allowed permanently.
export { openApprovals, type OpenApprovalsInput } from "./approvals.ts";
export { approveFile } from "./change-approvals.ts";

// Topics: a store on disk.
export { type OpenedTopicStore, openTopicStore } from "./open-topic-store.ts";
export { createFsTopicStore, type FsTopicStore } from "./topics/fs-topic-store.ts";
export { type SharedTopicFile, writeSharedTopics } from "./topics/write-shared-topics.ts";
export { editTopicFile } from "./topics/edit-topic-file.ts";
export { findSecretsLazily as findSecrets } from "./find-secrets.ts";
export { eraseTopic } from "./erase-topic.ts";

// Inbox: changes that wait for the user.
export type { AcceptedProposal } from "./inbox/accept-proposal.ts";
export { type Inbox, openInbox } from "./inbox/open-inbox.ts";

// Doctor: problems of a store, and their repair.
export { diagnoseTopics, repairTopics } from "./topics/doctor.ts";
export { createEvidenceCheck, type EvidenceCheck } from "./evidence/check-evidence.ts";

// Search: everything that is remembered about a project, with an index on disk.
export { type OpenedMemorySearch, openMemorySearch } from "./search/open-memory-search.ts";
export {
  openStoredNotes,
  type OpenStoredNotesInput,
  type StoredNotes,
} from "./search/stored-notes.ts";
export { teamTopicsSource } from "./search/team-source.ts";
export { forgetSearch } from "./search/stored-index.ts";
export { type ReadUse, readUse, recordUse, type UseFileInput } from "./use/use-file.ts";
