export { createFileTools } from "./file-tools.ts";
export { createSecretMask } from "./secret-mask.ts";
export type { ToolWorkspace } from "./tool-workspace.ts";
