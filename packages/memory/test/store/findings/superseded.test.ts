import { expect, it } from "vitest";
import { findSupersedesProblems } from "../../../src/store/findings/superseded.ts";
import { toStoredTopic } from "../../../src/store/stored-topic.ts";
import type { StoredTopic } from "../../../src/store/topic-store.ts";
import { parseTopicSlug } from "../../../src/topics/slug.ts";

function topicOf(name: string, ...supersedes: readonly string[]): StoredTopic {
  const text = `---\nname: ${name}\nsupersedes: ${JSON.stringify(supersedes)}\n---\n`;
  return toStoredTopic({ slug: parseTopicSlug(name), version: "v", text, modifiedMs: 0 });
}

it("reports each circle of superseding topics once, and names that do not exist", () => {
  const topics = [
    topicOf("a", "b"),
    topicOf("b", "c", "missing"),
    topicOf("c", "A"),
    topicOf("d", "a"),
    topicOf("e", "e"),
  ];
  const found = findSupersedesProblems(topics).map((problem) =>
    problem.kind === "dangling" ? problem.name : problem.circle.join(" "),
  );
  expect(found).toEqual(["a b c a", "missing", "e e"]);
});

it("follows long chains and dense graphs", () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `t${at}`);
  const chain = names.map((name, at) => topicOf(name, names[(at + 1) % names.length] ?? ""));
  expect(findSupersedesProblems(chain)).toHaveLength(1);
  const few = names.slice(0, 30);
  const dense = few.map((name, at) => topicOf(name, ...few.slice(at + 1)));
  expect(findSupersedesProblems(dense)).toEqual([]);
});
