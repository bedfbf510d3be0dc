export { loadMemory, type LoadMemoryInput } from "./load-memory.ts";
export { findWorkspace, type Workspace } from "./find-workspace.ts";
