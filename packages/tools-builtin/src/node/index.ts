export { createFileTools } from "./file-tools.ts";
export {
  createStoredApprovals,
  type StoredApprovals,
  type StoredApprovalsInput,
} from "./stored-approvals.ts";
export { createSecretMask } from "./secret-mask.ts";
export type { ProtectedPath, ToolWorkspace, WorkspaceInput } from "./tool-workspace.ts";
