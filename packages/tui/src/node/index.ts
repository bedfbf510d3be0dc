export { createFileList } from "./list-files.ts";
export { createScreenView } from "./screen-view.ts";
