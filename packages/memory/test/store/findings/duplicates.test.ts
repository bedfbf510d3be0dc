import { describe, expect, it } from "vitest";
import { findDuplicates } from "../../../src/store/findings/duplicates.ts";
import { toStoredTopic } from "../../../src/store/stored-topic.ts";
import type { StoredTopic } from "../../../src/store/topic-store.ts";
import { parseTopicSlug } from "../../../src/topics/slug.ts";

function topicOf(name: string, body: string): StoredTopic {
  const slug = parseTopicSlug(name);
  const text = `---\nname: ${name}\ndescription: d\nmetadata:\n  type: project\n---\n\n${body}`;
  return toStoredTopic({ slug, version: "v", text, modifiedMs: 0 });
}

function found(...topics: readonly StoredTopic[]): readonly string[] {
  return [...findDuplicates(topics)].flatMap((each) =>
    each === undefined ? [] : [`${each.slug} ${each.same} ${each.other}`],
  );
}

describe("findDuplicates", () => {
  it("finds texts that differ only in spaces and case", () => {
    const text = "Deploy with pnpm ship after the smoke tests, never on Fridays.";
    const other = text.toUpperCase().replaceAll(" ", "\n  ");
    expect(found(topicOf("one", text), topicOf("two", other))).toEqual(["two text one"]);
  });

  it("tells apart texts that only start alike", () => {
    const opening = "Deploy with pnpm ship after the";
    expect(
      found(topicOf("one", `${opening} tests.`), topicOf("two", `${opening} review.`)),
    ).toEqual([]);
  });

  it("finds names that differ only in case, and ignores empty texts", () => {
    expect(found(topicOf("deploy", ""), topicOf("Deploy", ""))).toEqual(["Deploy name deploy"]);
  });
});
