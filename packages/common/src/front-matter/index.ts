export { type FlowValue, renderFlow } from "./flow.ts";
export { type FrontMatter, parseFrontMatter } from "./front-matter.ts";
export {
  type HeaderSyntax,
  isPlainText,
  parsePlainFrontMatter,
  parsePlainHeader,
  type PlainHeader,
  readPlainScalar,
} from "./plain-front-matter.ts";
export { splitFrontMatter, type SplitFrontMatter } from "./split-front-matter.ts";
