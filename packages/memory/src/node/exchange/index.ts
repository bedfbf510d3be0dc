// Import: the memory of other agents, from where they keep it.
export { IMPORT_SOURCES } from "../../exchange/source.ts";
export { type ImportPlan, planImport } from "./plan-import.ts";
export type { ImportRow } from "./import-rows.ts";

// Copy: the memory of one backend, with its history, to another one.
export { type CopiedMemory, copyMemory, type CopyTarget } from "../../store/copy/copy-memory.ts";

// Export: all files of a store, for other agents and programs.
export { type ExportPlan, planExport } from "./plan-export.ts";
export type { ExportedFile } from "./export/directory.ts";
