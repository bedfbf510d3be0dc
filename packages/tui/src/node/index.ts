export { gitBranch } from "./git-branch.ts";
export { type HistoryFile, openHistoryFile } from "./history-file.ts";
export { createFileList } from "./list-files.ts";
export { createScreenView } from "./screen-view.ts";
