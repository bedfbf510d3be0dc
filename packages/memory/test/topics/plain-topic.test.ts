import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generatedFields, renderPlainHeader, type Topic } from "../../src/topics/plain-topic.ts";
import { renderTopic, renderWithYaml } from "../../src/topics/render-topic.ts";
import { parseNewTopicSlug } from "../../src/topics/slug.ts";
import { withKeptFields } from "../../src/topics/topic-fields.ts";
import { TOPIC_TYPES } from "../../src/topics/topic-type.ts";
import { topicFields } from "./topic-fields-cases.ts";

const FULL = process.env["FULL"] === "1";

const words = fc.constantFrom(
  "a",
  "deploy-checklist",
  "true",
  "No",
  "null",
  "x_1",
  "é",
  "y",
  "12",
  "two words",
  "a.b",
);
const texts = fc.constantFrom(
  "plain",
  "a: b",
  "# c",
  "it's",
  'say "hi"',
  "back\\slash",
  "日本 語",
  "🙂",
  "a  b",
  "x\u00A0y",
  "{a}",
  "- a",
  "e\u0301",
  "\u200Bz",
  "\u202Eq",
  "\u0085",
);
const contents = fc.record({
  name: words.map(parseNewTopicSlug),
  description: texts,
  type: fc.constantFrom(...TOPIC_TYPES),
  body: fc.constantFrom("Body.", "---\nx: 1\n---"),
  session: fc.option(fc.oneof(fc.uuid(), fc.constantFrom("s-1", "12", "1e5")), { nil: undefined }),
  updated: fc.constantFrom(undefined, "2026-11-16T12:00:00.000Z", "yesterday"),
  after: fc.option(
    fc.array(fc.constantFrom("Read", "Bash", "yes", "a b", "mcp__x"), { maxLength: 3 }),
    { nil: undefined },
  ),
});
const topics: fc.Arbitrary<Topic> = fc
  .tuple(contents, topicFields)
  .map(([content, fields]) => Object.assign({}, content, fields));

describe("renderPlainHeader", () => {
  it("renders exactly the header that the YAML library renders", () => {
    fc.assert(
      fc.property(topics, (topic) => {
        expect(renderTopic(topic)).toBe(renderWithYaml(topic));
      }),
      { numRuns: FULL ? 3_000 : 200 },
    );
  });

  it("replaces a generated header and leaves any other to the YAML library", () => {
    fc.assert(
      fc.property(topics, topics, (before, after) => {
        const file = renderWithYaml(before);
        const kept = generatedFields(file);
        expect(renderTopic(after, file)).toBe(
          kept === undefined
            ? renderWithYaml(after, file)
            : renderWithYaml(withKeptFields(after, kept)),
        );
      }),
      { numRuns: FULL ? 3_000 : 200 },
    );
  });

  it("never mistakes a hand-edited header for a generated one", () => {
    const file = renderTopic({
      name: parseNewTopicSlug("a"),
      description: "d",
      type: "user",
      body: "b",
    });
    expect(generatedFields(file)).toEqual({});
    for (const changed of [
      file.replace("name: a", "name: a # mine"),
      file.replace("name: a", "owner: Ann\nname: a"),
      file.replace('"d"', "d"),
      file.replace("  type", "    type"),
    ]) {
      expect(generatedFields(changed)).toBeUndefined();
    }
  });

  it("renders a typical header without the YAML library", () => {
    const values = {
      name: "deploy-checklist",
      description: "run migrations first, then flip",
      type: "project",
    };
    expect(renderPlainHeader(values)).toContain("name: deploy-checklist\n");
  });
});
