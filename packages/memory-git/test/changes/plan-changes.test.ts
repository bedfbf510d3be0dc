import { describe, expect, it } from "vitest";
import { planChanges } from "../../src/changes/plan-changes.ts";
import { mergeChange } from "../../src/merge/merge-change.ts";

const change = (id: string, slug: string, base: string | undefined, text: string | undefined) => ({
  id,
  slug,
  base,
  text,
  at: `2026-01-0${id}T00:00:00.000Z`,
});
const accept = async (): Promise<undefined> => undefined;

describe("planning what is sent", () => {
  it("makes a commit for each round of changes, so that every change is in the history", async () => {
    const pending = [
      change("1", "a", undefined, "one\n"),
      change("2", "b", undefined, "b\n"),
      change("3", "a", "one\n", "two\n"),
    ];
    const plan = await planChanges({ pending, shared: new Map(), check: accept });
    const ids = plan.commits.map(({ changes }) => changes.map(({ change: { id } }) => id));
    expect(ids).toEqual([["1", "2"], ["3"]]);
  });

  it("sends nothing that the team has already", async () => {
    const pending = [change("1", "a", "old\n", "new\n"), change("2", "b", "b\n", undefined)];
    const plan = await planChanges({ pending, shared: new Map([["a", "new\n"]]), check: accept });
    expect(plan).toEqual({ commits: [], obsolete: ["1", "2"], conflicts: [], unsent: [] });
  });

  it("makes later changes of a topic part of its conflict", async () => {
    const pending = [change("1", "a", "old\n", "mine\n"), change("2", "a", "mine\n", "last\n")];
    const plan = await planChanges({ pending, shared: new Map([["a", "x\n"]]), check: accept });
    expect(plan.conflicts).toEqual([
      {
        slug: "a",
        base: "old\n",
        mine: "last\n",
        theirs: "x\n",
        at: "2026-01-02T00:00:00.000Z",
        pending: ["1", "2"],
      },
    ]);
  });

  it("keeps back a merged text that is a secret, although neither side is one", async () => {
    const check = async (_slug: string, text: string) =>
      text.includes("key:") && text.includes("value")
        ? ({ code: "SECRET_FOUND", message: "a secret" } as const)
        : undefined;
    const pending = [change("1", "a", "x\n\ny\n", "key:\n\nx\n\ny\n")];
    const shared = new Map([["a", "x\n\ny\n\nvalue\n"]]);
    const plan = await planChanges({ pending, shared, check });
    expect(plan.commits).toEqual([]);
    expect(plan.conflicts).toMatchObject([{ mine: "key:\n\nx\n\ny\n" }]);
  });

  it("keeps back only the topic that cannot be sent", async () => {
    const check = async (slug: string) =>
      slug === "a" ? ({ code: "SECRET_FOUND", message: "a secret" } as const) : undefined;
    const pending = [change("1", "a", undefined, "a\n"), change("2", "b", undefined, "b\n")];
    const plan = await planChanges({ pending, shared: new Map(), check });
    expect(plan.unsent).toMatchObject([{ change: { id: "1" }, code: "SECRET_FOUND" }]);
    expect(plan.commits).toMatchObject([{ changes: [{ change: { id: "2" } }] }]);
  });
});

describe("merging two changes, of which one may create or remove", () => {
  const merged = (text: string | undefined) => ({ kind: "merged", text });
  const conflict = { kind: "conflict" };
  it.for([
    {
      case: "two removals",
      base: "a\n",
      mine: undefined,
      theirs: undefined,
      is: merged(undefined),
    },
    { case: "a removal", base: "a\n", mine: undefined, theirs: "a\n", is: merged(undefined) },
    {
      case: "a removal by others",
      base: "a\n",
      mine: "a\n",
      theirs: undefined,
      is: merged(undefined),
    },
    { case: "a new topic", base: undefined, mine: "a\n", theirs: undefined, is: merged("a\n") },
    { case: "the same new topic", base: undefined, mine: "a\n", theirs: "a\n", is: merged("a\n") },
    { case: "two new topics", base: undefined, mine: "a\n", theirs: "b\n", is: conflict },
    {
      case: "an edit of what others removed",
      base: "a\n",
      mine: "b\n",
      theirs: undefined,
      is: conflict,
    },
    {
      case: "a removal of what others edited",
      base: "a\n",
      mine: undefined,
      theirs: "b\n",
      is: conflict,
    },
  ])("decides about $case", ({ base, mine, theirs, is }) => {
    expect(mergeChange({ base, mine, theirs })).toEqual(is);
  });
});
