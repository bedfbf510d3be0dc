import { describe, expect, it } from "vitest";
import {
  type Contradiction,
  findContradictions as contradictionsIn,
} from "../../../src/store/findings/contradictions.ts";
import { toStoredTopic } from "../../../src/store/stored-topic.ts";
import type { StoredTopic } from "../../../src/store/topic-store.ts";
import { renderTopic } from "../../../src/topics/render-topic.ts";
import { parseNewTopicSlug } from "../../../src/topics/slug.ts";

function topicOf(
  name: string,
  description: string,
  more: { readonly supersedes?: readonly string[]; readonly day?: number } = {},
): StoredTopic {
  const slug = parseNewTopicSlug(name);
  const updated = new Date(Date.UTC(2026, 10, more.day ?? 1)).toISOString();
  const { supersedes } = more;
  const text = renderTopic({
    name: slug,
    description,
    type: "project",
    body: "Body.",
    updated,
    supersedes,
  });
  return toStoredTopic({ slug, version: "v", text, modifiedMs: 0 });
}

function findContradictions(topics: readonly StoredTopic[]): readonly Contradiction[] {
  return [...contradictionsIn(topics)].filter((found) => found !== undefined);
}

/** What two descriptions say differently. */
function said(one: string, other: string): readonly string[] | undefined {
  const [found] = findContradictions([topicOf("one", one), topicOf("two", other)]);
  return found && [found.newerSays, found.olderSays].toSorted();
}

describe("findContradictions", () => {
  it.for([
    ["Connection pool of the database: 20", "Connection pool of the database: 30", ["20", "30"]],
    ["Install packages with pnpm", "Install packages with npm", ["npm", "pnpm"]],
    ["Install packages with pnpm, never npm", "Install packages with npm", ["npm", "pnpm"]],
    ["Unit tests run with vitest", "The unit tests run with jest", ["jest", "vitest"]],
    ["Indent code files with tabs", "Indent code files with spaces", ["spaces", "tabs"]],
    [
      "Run slow migrations during office hours",
      "Do not run slow migrations during office hours",
      ["negated", "not negated"],
    ],
    [
      "Request timeout of the api is 5s",
      "Request timeout of the api gateway is 30s",
      ["30s", "5s"],
    ],
  ] as const)("finds that %j and %j differ: %j", ([one, other, expected]) => {
    expect(said(one, other)).toEqual(expected);
  });

  it.for([
    ["API server listens on port 3000 locally", "Web server listens on port 4000 locally"],
    ["Staging database password is in Vault", "Production database password is in Vault"],
    ["Install packages with pnpm", "Install packages with pnpm 10"],
    ["Install packages with pnpm", "Publish images with docker"],
    ["Unit tests run with vitest", "Unit tests of the old service run slowly with jest in CI"],
    ["Deploy on Monday", "Release notes are due Friday"],
    ["Version 2 of the schema", "Version 3 of the client"],
    ["Prefers short answers", "Prefers long explanations"],
    ["Connection pool of the database: 20", "Connection pool of the database: 20"],
  ] as const)("finds no contradiction between %j and %j", ([one, other]) => {
    expect(said(one, other)).toBeUndefined();
  });

  it("names the newer topic first, and leaves out what one of them supersedes", () => {
    const older = topicOf("old", "Install packages with npm", { day: 1 });
    const newer = topicOf("new", "Install packages with pnpm", { day: 2 });
    const [found] = findContradictions([older, newer]);
    expect([found?.newer.slug, found?.newerSays, found?.older.slug]).toEqual([
      "new",
      "pnpm",
      "old",
    ]);
    const settled = topicOf("new", "Install packages with pnpm", { supersedes: ["Old"] });
    expect(findContradictions([older, settled])).toEqual([]);
  });

  it("finds at most twenty, also among many equal topics", () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      topicOf(`t${at}`, `Connection pool of the database: ${at}`),
    );
    expect(findContradictions(many)).toHaveLength(20);
  });
});
