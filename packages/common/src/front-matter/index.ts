export { type FrontMatter, parseFrontMatter } from "./front-matter.ts";
export { isPlainText, parsePlainFrontMatter, readPlainText } from "./plain-front-matter.ts";
export { splitFrontMatter, type SplitFrontMatter } from "./split-front-matter.ts";
