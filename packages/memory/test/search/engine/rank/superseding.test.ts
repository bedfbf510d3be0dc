import { describe, expect, it } from "vitest";
import { createSearchIndex } from "../../../../src/search/engine/search-index.ts";

type Topic = readonly [id: string, body: string, supersedes?: readonly string[], type?: string];

function found(topics: readonly Topic[], options = {}): readonly string[] {
  const index = createSearchIndex(
    topics.map(([id, body, supersedes, type = "project"]) => ({ id, body, supersedes, type })),
  );
  const hits = index.search("deploy staging", options).topics;
  return hits.map(({ id, supersededBy }) => (supersededBy ? `${id} < ${supersededBy}` : id));
}

const OLD: Topic = ["old", "deploy staging deploy staging"];
const OTHER: Topic = ["other", "deploy staging by hand when the network is down"];

describe("superseded topics", () => {
  it("rank after the topic that supersedes them, with its id", () => {
    expect(found([OLD, OTHER, ["new", "we deploy with ship", ["old"]]])).toEqual([
      "new",
      "old < new",
      "other",
    ]);
  });

  it("bring in a topic that has none of the words", () => {
    expect(found([OLD, OTHER, ["new", "ship it", ["old"]]])).toEqual(["new", "old < new", "other"]);
  });

  it("follow a chain to its end", () => {
    const topics: readonly Topic[] = [OLD, ["newer", "ship", ["old"]], ["newest", "b", ["newer"]]];
    expect(found(topics)).toEqual(["newest", "newer < newest", "old < newer"]);
  });

  it("stay where they are, but marked, if the filters exclude what supersedes them", () => {
    const topics: readonly Topic[] = [OLD, OTHER, ["new", "ship it", ["old"], "user"]];
    expect(found(topics, { type: "project" })).toEqual(["old < new", "other"]);
  });

  it.each<[string, readonly Topic[]]>([
    ["itself", [["old", OLD[1], ["old"]]]],
    [
      "each other",
      [
        ["old", OLD[1], ["new"]],
        ["new", "deploy", ["old"]],
      ],
    ],
    [
      "one another in a circle",
      [
        ["old", OLD[1], ["b"]],
        ["new", "deploy", ["old"]],
        ["b", "nothing", ["new"]],
      ],
    ],
    ["unknown topics", [OLD, ["new", "deploy", ["gone"]]]],
  ])("get no mark if topics supersede %s", (_, topics) => {
    const ids = topics.map(([id]) => id).filter((id) => id !== "b");
    expect(found(topics)).toEqual(ids);
  });

  it("lose their mark once that topic is removed", () => {
    const index = createSearchIndex([
      { id: "old", body: "deploy" },
      { id: "new", body: "deploy", supersedes: ["old"] },
    ]);
    const reloaded = createSearchIndex();
    expect(reloaded.load(index.save()).kind).toBe("loaded");
    expect(reloaded.search("deploy").topics.map(({ id }) => id)).toEqual(["new", "old"]);
    reloaded.remove(["new"]);
    expect(reloaded.search("deploy").topics).toEqual([
      expect.not.objectContaining({ supersededBy: expect.anything() }),
    ]);
  });

  it("explain the score of the topic that supersedes them", () => {
    const index = createSearchIndex([
      { id: "old", body: "deploy" },
      { id: "new", body: "ship", supersedes: ["old"] },
    ]);
    const [first, second] = index.search("deploy", { why: true }).topics;
    expect(first).toMatchObject({
      id: "new",
      coverage: 0,
      score: second?.score,
      why: [{ part: "supersedes", score: second?.score }],
    });
  });

  it("survive a thousand topics that supersede one", () => {
    const many = Array.from({ length: 1000 }, (_, at): Topic => [`n${at}`, "ship", ["old"]]);
    expect(found([OLD, ...many])).toEqual(["n0", "old < n0"]);
  });
});
