import {
  type EnforcementSuggestion,
  MAX_DESCRIPTION_CHARACTERS,
  TOPIC_TYPES,
  type TopicType,
} from "@caliban/memory";
import { DEFAULT_SEARCH_LIMIT, SEARCHED_KINDS, type SearchedKind } from "@caliban/memory/search";
import { z } from "zod";

/** The validated input of each memory tool. */
export interface MemoryInputs {
  readonly ReadMemoryTopic: { readonly name: string };
  readonly WriteMemoryTopic: {
    readonly name: string;
    readonly description: string;
    readonly type: TopicType;
    readonly body: string;
    readonly applies?:
      | {
          readonly paths?: readonly string[] | undefined;
          readonly commands?: readonly string[] | undefined;
        }
      | undefined;
    readonly supersedes?: readonly string[] | undefined;
    readonly enforce?: EnforcementSuggestion | undefined;
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
  .describe("The name of the topic as shown in the index: kebab-case, without .md.");
const MAX_RESULTS = 50;
const hash = z.string().min(1).max(200);

/** Validate the inputs. The JSON Schemas that the model sees are generated from these. */
export const MEMORY_INPUTS: { readonly [Name in MemoryToolName]: z.ZodType<MemoryInputs[Name]> } = {
  ReadMemoryTopic: z.strictObject({ name }),
  WriteMemoryTopic: z.strictObject({
    name,
    description: z
      .string()
      .min(1)
      .describe(
        `One line of at most ${MAX_DESCRIPTION_CHARACTERS} characters that states the fact itself. It is all that the index shows.`,
      ),
    type: z.enum(TOPIC_TYPES).describe("What the topic is about."),
    body: z.string().min(1).describe("The complete text in Markdown. Can link to [[other-topic]]."),
    applies: z
      .strictObject({
        paths: z.array(z.string()).optional(),
        commands: z.array(z.string()).optional(),
      })
      .optional()
      .describe("Where it matters: globs such as src/db/**, commands such as npm *."),
    supersedes: z.array(z.string()).optional().describe("Older topics that this one replaces."),
    enforce: z
      .strictObject({
        level: z.enum(["deny", "ask", "note"]),
        rules: z.array(z.string().min(1).max(500)).min(1).max(20),
      })
      .optional()
      .describe("Suggests rules such as Bash(npm *) to the user, who decides."),
    if_match: hash
      .optional()
      .describe(
        "The hash from ReadMemoryTopic. Required to change a topic; omit it for a new one.",
      ),
  }),
  DeleteMemoryTopic: z.strictObject({
    name,
    if_match: hash.describe("The hash from ReadMemoryTopic."),
  }),
  MemorySearch: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(1000)
      .describe("What to search for: names, identifiers, keywords, or a question."),
    limit: z
      .int()
      .min(1)
      .max(MAX_RESULTS)
      .optional()
      .describe(`The maximum number of results in each list. Default: ${DEFAULT_SEARCH_LIMIT}.`),
    kind: z
      .enum(SEARCHED_KINDS)
      .optional()
      .describe("topics: topics and learned memory; sessions: past sessions. Default: all."),
    type: z.enum(TOPIC_TYPES).optional().describe("Only topics of this type. Excludes sessions."),
    since: z
      .string()
      .max(40)
      .optional()
      .describe("Only results since this time: 2026-10-01, or 12h, 7d, 2w, 3m (months), 1y."),
  }),
};
