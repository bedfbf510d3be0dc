import { expect, it } from "vitest";
import { route } from "../../src/routes/route.ts";
import type { MemoryPageData } from "../../src/index.ts";
import { memoryData, topicText } from "../memory-data.ts";

const post = (path: string, body: unknown) => ({ method: "POST", path, query: {}, body }) as const;

async function save(data: MemoryPageData, slug: string): Promise<object> {
  const text = topicText(slug, slug);
  await data.save({ scope: "project", slug, text, ifMatch: undefined });
  const row = (await data.topics("project")).find((topic) => topic.slug === slug);
  return { scope: "project", id: slug, seenMs: row?.updatedMs };
}

it("deletes several topics, keeps those that the user saw in another version, and undoes it", async () => {
  const data = memoryData();
  const items = [await save(data, "a"), await save(data, "b")];
  const stale = { ...(await save(data, "c")), seenMs: 1 };
  const gone = { scope: "project", id: "none", seenMs: 1 };
  const { body } = await route(post("topics/remove", { items: [...items, stale, gone] }), data);
  expect(body).toMatchObject({
    kind: "batch",
    done: 2,
    failed: [
      { id: "c", message: "it changed meanwhile" },
      { id: "none", message: "it no longer exists" },
    ],
  });
  expect((await data.topics("project")).map(({ slug }) => slug as string)).toEqual(["c"]);
  const removals = (await data.changes("project")).filter(({ action }) => action === "remove");
  const undo = removals.map(({ id }) => ({ scope: "project", id }));
  const undone = await route(post("changes/undo", { items: undo }), data);
  expect(undone.body).toMatchObject({ done: 2, failed: [] });
  expect(await data.topics("project")).toHaveLength(3);
});

it("decides on several proposals", async () => {
  const data = memoryData();
  const items = ["1", "2"].map((id) => ({ scope: "project", id }));
  await route(post("inbox/reject-many", { items }), data);
  await route(post("inbox/accept-many", { items: items.slice(1) }), data);
  expect(data.calls).toEqual(["reject 1", "reject 2", "accept 2 "]);
});

it.for([
  ["no list", {}],
  ["an empty list", { items: [] }],
  ["an unknown scope", { items: [{ scope: "team", id: "1" }] }],
  ["an item that is a text", { items: ["1"] }],
  ["an item without an id", { items: [{ scope: "project" }, { scope: "project", id: "1" }] }],
  [
    "too many items",
    { items: Array.from({ length: 1_001 }, () => ({ scope: "project", id: "1" })) },
  ],
] as const)("refuses %s as a whole", async ([, body]) => {
  const data = memoryData();
  const { status, body: answer } = await route(post("inbox/reject-many", body), data);
  const message = JSON.stringify(body).length > 10_000 ? "more than 1,000" : "incomplete";
  expect({ status, answer }).toMatchObject({
    status: 400,
    answer: { message: expect.stringContaining(message) },
  });
  expect(data.calls).toEqual([]);
});
