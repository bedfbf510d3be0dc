import type { TopicSlug } from "../topics/slug.ts";
import { renderTopicLink } from "./render-line.ts";

const MARK_START = " (superseded by ";
/** A description cannot look like this, because links in it are escaped. */
const MARK = / \(superseded by \[(?:[^\]\\\n]|\\.)*\]\([^()\s]+\)\)$/;

/** The end of the index line of a topic that another topic supersedes. */
export function renderSupersededMark(by: TopicSlug): string {
  return `${MARK_START}${renderTopicLink(by)})`;
}

/** The mark at the end of a line, or an empty text. */
export function supersededMarkOf(line: string): string {
  return MARK.exec(line.trimEnd())?.[0] ?? "";
}

/** A line as it would be if nothing superseded its topic. */
export function withoutSupersededMark(line: string): string {
  return line.trimEnd().replace(MARK, "");
}
