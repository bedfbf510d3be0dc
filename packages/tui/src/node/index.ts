export { createFileList } from "./list-files.ts";
