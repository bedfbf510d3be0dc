import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  headingsOf,
  slugFromId,
  slugFromKey,
  topicDocument,
  topicKey,
} from "../../../src/search/live-index/topic-document.ts";
import { parseTopicSlug } from "../../../src/topics/slug.ts";
import { parseTopic } from "../../../src/topics/parse-topic.ts";

const documentOf = (text: string): ReturnType<typeof topicDocument> =>
  topicDocument({ slug: parseTopicSlug("deploy"), topic: parseTopic(text), updatedMs: 5 });

describe("topicDocument", () => {
  it("contains the whole text of a topic", () => {
    const header = `---\nname: x\ndescription: "how we ship"\ntags: [release, "two words"]\nmetadata:\n  type: project\n---\n`;
    expect(documentOf(`${header}\n# Steps\n\nPush.\n\n## Rollback\n\nPull.\n`)).toEqual({
      id: "topics:deploy#",
      kind: "topic",
      name: "deploy",
      description: "how we ship",
      headings: "Steps\nRollback",
      tags: "release two words",
      body: "# Steps\n\nPush.\n\n## Rollback\n\nPull.",
      type: "project",
      updatedMs: 5,
    });
  });

  it("contains the body of a topic with a broken header", () => {
    expect(documentOf("---\ndescription: [\n---\n\nPush.\n").body).toContain("Push.");
  });

  it.for([
    ["tags: a, b", "a b"],
    ["tags: [a, b]", "a b"],
    ["tags: 7", "7"],
    ["metadata:\n  tags: [a]", "a"],
    ["tags:", undefined],
    ["tags: {a: b}", undefined],
  ] as const)("reads %j as tags", ([header, tags]) => {
    expect(documentOf(`---\ndescription: x\n${header}\n---\n`).tags).toBe(tags);
  });
});

describe("headingsOf", () => {
  it.for([
    ["no headings", undefined],
    ["# one", "one"],
    ["   ### three ###", "three ###"],
    ["    # code", undefined],
    ["#tag", undefined],
    ["```sh\n# install\n```\n# after", "after"],
    ["````\n```\n# in\n````\n# out", "out"],
    ["~~~\n# in\n```\n# in\n~~~\n# out", "out"],
    ["```\n# never closed", undefined],
  ] as const)("finds in %j the headings %j", ([body, headings]) => {
    expect(headingsOf(body)).toBe(headings);
  });
});

it("converts slugs to keys without the end marker of an id, and back", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "#", "%", "2", "3", "5") }), (slug) => {
      const key = topicKey(slug);
      expect(key).not.toContain("#");
      expect(slugFromKey(key)).toBe(slug);
      expect(slugFromId(`topics:${key}#`)).toBe(slug);
    }),
    { examples: [["a%23"], ["%2523"]] },
  );
});
