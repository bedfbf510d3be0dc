import { MAX_DESCRIPTION_CHARACTERS, TOPIC_TYPES, type TopicType } from "@caliban/memory";
import { DEFAULT_SEARCH_LIMIT, SEARCHED_KINDS, type SearchedKind } from "@caliban/memory/search";
import { z } from "zod";

/** What each memory tool takes, once it is proven. */
export interface MemoryInputs {
  readonly ReadMemoryTopic: { readonly name: string };
  readonly WriteMemoryTopic: {
    readonly name: string;
    readonly description: string;
    readonly type: TopicType;
    readonly body: string;
    readonly if_match?: string | undefined;
  };
  readonly DeleteMemoryTopic: { readonly name: string; readonly if_match: string };
  readonly MemorySearch: {
    readonly query: string;
    readonly limit?: number | undefined;
    readonly kind?: SearchedKind | undefined;
    readonly type?: TopicType | undefined;
    readonly since?: string | undefined;
  };
}

export type MemoryToolName = keyof MemoryInputs;

const name = z
  .string()
  .min(1)
  .max(200)
  .describe("The topic's name as the index has it, in kebab-case, without .md.");
const MOST_HITS = 50;
const hash = z.string().regex(/^[0-9a-f]{12}$/);

/** The schemas that check. The JSON Schemas that a model sees are made from them. */
export const MEMORY_INPUTS: { readonly [Name in MemoryToolName]: z.ZodType<MemoryInputs[Name]> } = {
  ReadMemoryTopic: z.strictObject({ name }),
  WriteMemoryTopic: z.strictObject({
    name,
    description: z
      .string()
      .min(1)
      .describe(
        `One line of at most ${MAX_DESCRIPTION_CHARACTERS} characters that tells the fact itself: the index shows nothing else.`,
      ),
    type: z.enum(TOPIC_TYPES).describe("What the topic is about."),
    body: z.string().min(1).describe("The whole text in Markdown. May point to [[other-topic]]."),
    if_match: hash
      .optional()
      .describe(
        "The hash that ReadMemoryTopic gave; needed to change a topic, left out for a new one.",
      ),
  }),
  DeleteMemoryTopic: z.strictObject({
    name,
    if_match: hash.describe("The hash that ReadMemoryTopic gave."),
  }),
  MemorySearch: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(1000)
      .describe("What to look for: names, identifiers, words of the subject, or a question."),
    limit: z
      .int()
      .min(1)
      .max(MOST_HITS)
      .optional()
      .describe(`Most hits of each list; ${DEFAULT_SEARCH_LIMIT} when left out.`),
    kind: z
      .enum(SEARCHED_KINDS)
      .optional()
      .describe(
        "topics: notes, and what was learned; sessions: what was said in past sessions; all when left out.",
      ),
    type: z.enum(TOPIC_TYPES).optional().describe("Only topics of this type, and no sessions."),
    since: z
      .string()
      .max(40)
      .optional()
      .describe("Only what is from then on: 2026-10-01, or 12h, 7d, 2w, 3m (months), 1y."),
  }),
};
