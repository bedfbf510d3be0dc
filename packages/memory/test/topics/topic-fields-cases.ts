import * as fc from "fast-check";
import { MEMORY_ORIGINS, type TopicFields } from "../../src/topics/topic-fields.ts";
import { PIECES } from "./yaml-pieces.ts";

/** Texts that are not blank and that UTF-8 can hold. */
const text = fc
  .array(
    fc.constantFrom(...PIECES, "a", "src/**", "\\n", "\\u0041", "\t", "\n", "\u001B", "\u0085"),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((pieces) => pieces.join("").toWellFormed())
  .filter((joined) => joined.trim() !== "");
const texts = fc.array(text, { minLength: 1, maxLength: 2 });
const evidence = fc.record({
  path: text,
  sha256: fc.constantFrom("0".repeat(64), "5e".repeat(32)),
  snippet: text,
});

/** Any fields that a topic can have. Absent ones are left out, as a reader leaves them out. */
export const topicFields: fc.Arbitrary<TopicFields> = fc.record(
  {
    applies: fc.oneof(
      fc.record({ paths: texts, commands: texts }),
      fc.record({ paths: texts, commands: fc.constant([]) }),
      fc.record({ paths: fc.constant([]), commands: texts }),
    ),
    supersedes: texts,
    evidence: fc.array(evidence, { minLength: 1, maxLength: 2 }),
    expect: texts,
    origin: fc.constantFrom(...MEMORY_ORIGINS),
  },
  { requiredKeys: [] },
);
