// Import: the memory of other agents, from where they keep it.
export { IMPORT_SOURCES, type ImportSource } from "../../exchange/source.ts";
export { findImportSource } from "./sources/find-source.ts";
export { type ImportReport, importSource } from "./import-source.ts";

// Export: all files of a store, for other agents and programs.
export { readStoreFiles, type StoreFiles } from "../topics/files/store-files.ts";
export { findExportSecrets } from "./export/secrets.ts";
export { type ExportedFile, planDirectoryExport } from "./export/directory.ts";
export { renderAgentsMd, updateAgentsMd } from "./export/agents-md.ts";
export { toMemoryJson } from "./export/json.ts";
export { packTar } from "./export/tar.ts";
