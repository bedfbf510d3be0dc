import { parseFrontMatter } from "@caliban/common/front-matter";
import { normalizeText } from "../markdown/normalize.ts";
import { bodyOf, parsePlainTopic } from "./plain-topic.ts";
import { scanHeader } from "./scan-header.ts";
import {
  headerOf,
  headOf,
  type ParsedTopic,
  type TopicHeader,
  toTopicHeader,
} from "./topic-header.ts";

export type { ParsedTopic, TopicHeader, TopicProblem } from "./topic-header.ts";

/** Reads a topic. Never fails: a broken header is reported in `problems`, and the whole text becomes the body. */
export function parseTopic(text: string): ParsedTopic {
  return parsePlainTopic(text) ?? parseWithYaml(normalizeText(text));
}

function parseWithYaml(normal: string): ParsedTopic {
  const parsed = parseFrontMatter(normal);
  const header = headerOf(parsed, normal);
  return { ...header, body: parsed.kind === "broken" ? normal : bodyOf(parsed) };
}

/** Reads only the header. Plain headers skip the YAML parser, because a list may have thousands of them. */
export function parseTopicHeader(text: string): TopicHeader {
  const normal = normalizeText(headOf(text));
  const data = scanHeader(normal);
  return data === undefined
    ? headerOf(parseFrontMatter(normal), normal)
    : toTopicHeader(data, normal);
}

/** Whether the start of a text contains all of its header, or shows that it has none. */
export function hasWholeHeader(head: string): boolean {
  return !/^\uFEFF?---/.test(head) || head !== headOf(head);
}
