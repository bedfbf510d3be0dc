import { isPlainText, parsePlainFrontMatter } from "@caliban/common/front-matter";
import {
  MAX_DESCRIPTION_CHARACTERS,
  type StoredTopic,
  TOPIC_TYPES,
  type TopicType,
} from "@caliban/memory";

/** The file of a topic: a header, which the model does not see, and its text. */
export interface TopicText {
  /** Includes the blank line below it. Empty if the file has no valid header. */
  readonly header: string;
  readonly text: string;
}

/** Splits a file without changing a character of it. */
export function splitTopic({ text: file, topic }: Pick<StoredTopic, "text" | "topic">): TopicText {
  const end = hasHeader(topic) ? headerEnd(file) : 0;
  return { header: file.slice(0, end), text: file.slice(end) };
}

/** The values of a new header. */
interface NewFile {
  readonly name: string;
  readonly text: string;
  readonly session: string | undefined;
  /** ISO 8601. */
  readonly updated: string;
}

/** The file of a new topic. Its text comes back exactly, whatever it is. */
export function renderFile({ name, text, session, updated }: NewFile): string {
  const { description, type } = describeText(text);
  const lines = [
    "---",
    `name: ${/^[A-Za-z][\w.-]*$/.test(name) && isPlainText(name) ? name : JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    "metadata:",
    "  node_type: memory",
    `  type: ${type}`,
    ...(session === undefined ? [] : [`  session: ${JSON.stringify(session)}`]),
    `  updated: ${updated}`,
    "---",
    "",
    text,
  ];
  return lines.join("\n");
}

/** The file of a topic with another text. A description that was made from the text follows it. */
export function renderEdited(
  { topic, ...stored }: StoredTopic,
  text: string,
  created: Omit<NewFile, "name" | "text">,
): string {
  const before = splitTopic({ text: stored.text, topic });
  if (before.header === "") {
    // What looks like a header would be hidden from now on, unless the file gets a real one. A broken header may be repaired.
    const isBroken = topic.problems.some(({ code }) => code === "BROKEN_HEADER");
    return isBroken || !/^\uFEFF?---/.test(text)
      ? text
      : renderFile({ ...created, name: stored.slug, text });
  }
  const { description } = describeText(before.text);
  const header =
    description === topic.description
      ? before.header.replace(
          `\ndescription: ${JSON.stringify(description)}`,
          () => `\ndescription: ${JSON.stringify(describeText(text).description)}`,
        )
      : before.header;
  // The header of another program may lack the blank line, or even a line end.
  const files = ["", "\n", "\n\n"].map((gap) => `${header}${gap}${text}`);
  return files.find((file) => headerEnd(file) === file.length - text.length) ?? `${header}${text}`;
}

function hasHeader({ problems }: StoredTopic["topic"]): boolean {
  return !problems.some(({ code }) => code === "NO_HEADER" || code === "BROKEN_HEADER");
}

const LINE_END = /\r\n?|\n/g;

/** Where the text of a file with a valid header starts: after the second `---` and one blank line. */
function headerEnd(file: string): number {
  let lineStart = 0;
  for (const { index, 0: lineEnd } of file.matchAll(LINE_END)) {
    const next = index + lineEnd.length;
    if (lineStart > 0 && file.slice(lineStart, index) === "---") {
      const [blank = ""] = /^(?:\r\n?|\n)/.exec(file.slice(next, next + 2)) ?? [];
      return next + blank.length;
    }
    lineStart = next;
  }
  return file.length;
}

/** What the index says about a text: its front matter if it has one, otherwise its first line. */
export function describeText(text: string): {
  readonly description: string;
  readonly type: TopicType;
} {
  const parsed = parsePlainFrontMatter(text.replaceAll("\r\n", "\n"));
  const { data, body = text } = parsed?.kind === "header" ? parsed : { data: {} };
  const { description, type, metadata } = data as Readonly<Record<string, unknown>>;
  const own = typeof description === "string" ? oneLine(description) : "";
  const types = new Set<unknown>([type, Object(metadata)["type"]]);
  return {
    description: truncate(own || firstLine(body)),
    type: TOPIC_TYPES.find((known) => types.has(known)) ?? "project",
  };
}

/** The first line with letters or digits in it, without the `#` of a heading. */
function firstLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => oneLine(line.replace(/^\s*#+(?=\s|$)/, "")));
  const first = lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.find(Boolean);
  return first ?? "(empty file)";
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

function truncate(line: string): string {
  const characters = Array.from(line);
  return characters.length <= MAX_DESCRIPTION_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}
