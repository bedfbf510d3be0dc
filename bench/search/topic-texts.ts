import type { SearchDocument } from "../../packages/memory/src/search/document.ts";
import { renderTopic } from "../../packages/memory/src/topic/render-topic.ts";
import { parseNewTopicSlug } from "../../packages/memory/src/topic/slug.ts";
import type { Meeting } from "./meetings.ts";
import { createRandom, type Random } from "./random.ts";
import { tellingWords } from "./words.ts";

/** A topic that was never written by anybody, of words as people use them. */
export interface MadeTopic {
  readonly slug: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly body: string;
}

const SEED = 7;
/** So that a file has 1.33 KB with its header, on average. */
const BODY_CHARACTERS = 830;
const FEWEST_WORDS = 6;

/** As many topics as wanted, the same ones in every run. */
export function makeTopics(meetings: readonly Meeting[], count: number): readonly MadeTopic[] {
  const sentences = sentencesOf(meetings);
  const random = createRandom(SEED);
  return Array.from({ length: count }, (_, n) => makeTopic(n, sentences, random));
}

/** What was said at some length: most of the other turns only say yes. */
function sentencesOf(meetings: readonly Meeting[]): readonly string[] {
  return meetings.flatMap(({ turns }) =>
    turns.flatMap(([, content]) =>
      content
        .replaceAll(/\{\w+\} ?/g, "")
        .split(/(?<=[.?!]) /)
        .map((sentence) => sentence.replaceAll(/\s+([.,?!'])/g, "$1").trim())
        .filter((sentence) => sentence.split(" ").length >= FEWEST_WORDS),
    ),
  );
}

function makeTopic(n: number, sentences: readonly string[], random: Random): MadeTopic {
  const description = random.pick(sentences).slice(0, 110).trim();
  const words = [...new Set(tellingWords(random.pick(sentences)))];
  const telling = words.filter((word) => /^[a-z]{3,}$/.test(word)).slice(0, 3);
  const headings: string[] = [];
  const parts: string[] = [];
  const wanted = BODY_CHARACTERS / 2 + random.whole(BODY_CHARACTERS);
  for (let size = 0; size < wanted;) {
    const heading = tellingWords(random.pick(sentences)).slice(0, 3).join(" ");
    const part = [`## ${heading}`, "", paragraph(sentences, random), ""];
    headings.push(heading);
    parts.push(...part);
    size += part.join("\n").length;
  }
  const body = [...parts, code(telling, n)].join("\n");
  return { slug: [...telling, n].join("-"), description, headings, body };
}

function paragraph(sentences: readonly string[], random: Random): string {
  return Array.from({ length: 2 + random.whole(4) }, () => random.pick(sentences)).join(" ");
}

/** What notes about software name: a file, and something in it. */
function code(words: readonly string[], n: number): string {
  const [first = "part", second = "list"] = words;
  const name = `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}${n % 97}`;
  return `See \`src/${first}/${words.join("-")}.ts\` and \`${name}()\`.`;
}

/** The topic as it would be found. */
export function topicDocument({ slug, description, headings, body }: MadeTopic): SearchDocument {
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

/** The file of the topic. */
export function topicFile({ slug, description, body }: MadeTopic): string {
  return renderTopic({
    name: parseNewTopicSlug(slug),
    description,
    type: "project",
    body,
    updated: "2026-11-16T12:00:00.000Z",
  });
}
