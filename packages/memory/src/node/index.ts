export type { Activation } from "./activation.ts";
export type { ApprovalAnswer } from "./admit-file.ts";
export { type AdoptedProject, adoptMemory, type AdoptMemoryInput } from "./adopt-memory.ts";
export { approveFile, type ApproveFileInput } from "./approve-file.ts";
export { type LoadedMemory, loadMemory, type LoadMemoryInput } from "./load-memory.ts";
export { findWorkspace, type Workspace } from "./find-workspace.ts";
