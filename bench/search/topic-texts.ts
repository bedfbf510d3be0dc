import type { SearchDocument } from "../../packages/memory/src/search/engine/document.ts";
import { renderTopic } from "../../packages/memory/src/topics/render-topic.ts";
import { parseNewTopicSlug } from "../../packages/memory/src/topics/slug.ts";
import type { Meeting } from "./meetings.ts";
import { createRandom, type Random } from "./random.ts";
import { significantTokens } from "./words.ts";

/** A generated topic with sentences from real meetings. */
export interface GeneratedTopic {
  readonly slug: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly body: string;
}

const SEED = 7;
/** Results in files of 1.33 KB on average, with header. */
const BODY_CHARACTERS = 830;
const MIN_WORDS = 6;

/** Generates topics, the same ones in every run. */
export function generateTopics(
  meetings: readonly Meeting[],
  count: number,
): readonly GeneratedTopic[] {
  const sentences = sentencesOf(meetings);
  const random = createRandom(SEED);
  return Array.from({ length: count }, (_, n) => generateTopic(n, sentences, random));
}

/** Long sentences only, because most other turns just say yes. */
function sentencesOf(meetings: readonly Meeting[]): readonly string[] {
  return meetings.flatMap(({ turns }) =>
    turns.flatMap(([, content]) =>
      content
        .replaceAll(/\{\w+\} ?/g, "")
        .split(/(?<=[.?!]) /)
        .map((sentence) => sentence.replaceAll(/\s+([.,?!'])/g, "$1").trim())
        .filter((sentence) => sentence.split(" ").length >= MIN_WORDS),
    ),
  );
}

function generateTopic(n: number, sentences: readonly string[], random: Random): GeneratedTopic {
  const description = random.pick(sentences).slice(0, 110).trim();
  const words = [...new Set(significantTokens(random.pick(sentences)))];
  const nameWords = words.filter((word) => /^[a-z]{3,}$/.test(word)).slice(0, 3);
  const headings: string[] = [];
  const parts: string[] = [];
  const length = BODY_CHARACTERS / 2 + random.integer(BODY_CHARACTERS);
  for (let size = 0; size < length;) {
    const heading = significantTokens(random.pick(sentences)).slice(0, 3).join(" ");
    const part = [`## ${heading}`, "", paragraph(sentences, random), ""];
    headings.push(heading);
    parts.push(...part);
    size += part.join("\n").length;
  }
  const body = [...parts, code(nameWords, n)].join("\n");
  return { slug: [...nameWords, n].join("-"), description, headings, body };
}

function paragraph(sentences: readonly string[], random: Random): string {
  return Array.from({ length: 2 + random.integer(4) }, () => random.pick(sentences)).join(" ");
}

/** Refers to a file and a function, as topics about software do. */
function code(words: readonly string[], n: number): string {
  const [first = "part", second = "list"] = words;
  const name = `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}${n % 97}`;
  return `See \`src/${first}/${words.join("-")}.ts\` and \`${name}()\`.`;
}

/** Returns the topic as a search document. */
export function topicDocument({
  slug,
  description,
  headings,
  body,
}: GeneratedTopic): SearchDocument {
  return {
    id: slug,
    kind: "topic",
    name: slug,
    description,
    headings: headings.join("\n"),
    body,
    type: "project",
    updatedMs: 0,
  };
}

/** Renders the file of the topic. */
export function topicFile({ slug, description, body }: GeneratedTopic): string {
  return renderTopic({
    name: parseNewTopicSlug(slug),
    description,
    type: "project",
    body,
    updated: "2026-11-16T12:00:00.000Z",
  });
}
