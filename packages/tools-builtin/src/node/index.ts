export {
  type ConfinableProgram,
  type ConfineProgram,
  createProgramSandbox,
  probeSandbox,
} from "./confine-programs.ts";
export { readFileState, type FileState } from "./files/file-state.ts";
export { restoreFile, type RestoreOutcome, type RestoreRequest } from "./files/restore-file.ts";
export { createFileTools, openFileTools } from "./file-tools.ts";
export { checkImage, type CheckedImage, MAX_IMAGE_BYTES } from "./images/check-image.ts";
export {
  createStoredApprovals,
  type StoredApprovals,
  type StoredApprovalsInput,
} from "./stored-approvals.ts";
export { createExclusion, createNoteTriggers, type NoteTriggersInput } from "./note-trigger.ts";
export { createSecretMask } from "./secret-mask.ts";
export type {
  FileChange,
  ProtectedPath,
  SandboxSettings,
  ToolWorkspace,
  WebAccess,
  WorkspaceInput,
} from "./tool-workspace.ts";
