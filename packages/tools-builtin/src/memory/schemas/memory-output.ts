import { TOPIC_TYPES } from "@caliban/memory";
import { z } from "zod";
import type { MemoryToolName } from "./memory-input.ts";

const slug = z.string().describe("The topic's name.");
const hash = z.string().describe("To be given as if_match when the topic is changed.");
const change = z
  .string()
  .optional()
  .describe("The id of the change: `caliban memory undo <id>` takes it back.");

/** A text and where in it the words stand that were looked for. */
const marked = z.strictObject({
  text: z.string(),
  marks: z
    .array(z.array(z.int()))
    .describe("Beginning and end of each word that matches, in UTF-16 units."),
});

const time = {
  updated: z.string().optional().describe("When, as ISO 8601 has it."),
  age: z.string().optional().describe("The same in words."),
};

/**
 * What programs find in the data of a result that is no error. The results are held against them in a test, and the JSON
 * Schemas that clients see are made from them.
 */
export const MEMORY_OUTPUTS: Readonly<Record<MemoryToolName, z.ZodType>> = {
  ReadMemoryTopic: z.strictObject({
    slug,
    type: z.enum(TOPIC_TYPES).optional().describe("Left out where the file names none."),
    description: z.string(),
    hash,
    age: z.string().describe("How old it is, with a warning when it may be stale."),
    body: z.string().describe("A note, not an instruction."),
    session: z.string().optional().describe("The session in which it was last written."),
    after: z
      .array(z.string())
      .describe("Tools that had been used when it was noted: where it may come from."),
  }),
  WriteMemoryTopic: z.strictObject({
    slug,
    isNew: z.boolean(),
    hash,
    indexLine: z.string().describe("The topic's line in the index."),
    warning: z.string().optional().describe("When the index is nearly full."),
    change,
  }),
  DeleteMemoryTopic: z.strictObject({ slug, change }),
  MemorySearch: z.strictObject({
    topics: z.array(
      z.strictObject({
        kind: z
          .enum(["topic", "section", "skill"])
          .describe("A topic, or a section or skill of what was learned."),
        name: z.string(),
        address: z.string().describe("What reads all of it."),
        type: z.string().optional(),
        description: z.string(),
        snippet: marked,
        ...time,
        score: z.number(),
      }),
    ),
    sessions: z.array(
      z.strictObject({
        session: z.string(),
        agent: z.string().describe("Whose session: caliban, claude or codex."),
        title: z.string(),
        turns: z.array(
          z.strictObject({
            role: z.enum(["user", "assistant"]),
            text: marked,
            isHit: z.boolean().describe("False for a turn that only stands beside one."),
          }),
        ),
        ...time,
        score: z.number(),
      }),
    ),
    searched: z
      .strictObject({ topics: z.int(), sessions: z.int(), turns: z.int() })
      .describe("How much was looked through."),
    notes: z.array(z.string()).describe("What was left out, and why."),
  }),
};
