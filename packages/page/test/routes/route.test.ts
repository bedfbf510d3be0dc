import { describe, expect, it } from "vitest";
import { route } from "../../src/routes/route.ts";
import { memoryData, topicText } from "../memory-data.ts";

const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
  ({ method: "GET", path, query }) as const;
const post = (path: string, body: unknown) => ({ method: "POST", path, query: {}, body }) as const;

describe("route", () => {
  it("saves a topic, lists it, and shows what was done", async () => {
    const data = memoryData();
    const text = topicText("How to deploy", "With pnpm.");
    const saved = await route(post("topic/save", { slug: "deploy", text }), data);
    expect(saved.status).toBe(200);
    const { body: list } = await route(get("topics"), data);
    expect(list).toMatchObject({ rows: [{ slug: "deploy", scope: "project", uses: 0 }] });
    const { body: topic } = await route(get("topic", { slug: "deploy" }), data);
    expect(topic).toMatchObject({ body: "With pnpm.", description: "How to deploy", text });
    const { body: changes } = await route(get("changes"), data);
    const { rows } = changes as { readonly rows: readonly { readonly id: string }[] };
    expect(rows).toMatchObject([
      { action: "write", author: "you", slugs: ["deploy"], isUndone: false },
    ]);
    const { body: change } = await route(get("change", { id: rows[0]?.id ?? "" }), data);
    expect(change).toMatchObject({ files: [{ slug: "deploy" }] });
    await route(post("change/undo", { id: rows[0]?.id }), data);
    expect((await route(get("topics"), data)).body).toEqual({ rows: [] });
    expect((await route(get("changes"), data)).body).toMatchObject({
      rows: [{ action: "undo" }, { isUndone: true }],
    });
  });

  it("answers an edit of an older version with the stored one, and keeps that", async () => {
    const data = memoryData();
    await route(post("topic/save", { slug: "a", text: topicText("a", "one") }), data);
    const stale = await route(
      post("topic/save", { slug: "a", text: topicText("a", "two"), ifMatch: "old" }),
      data,
    );
    expect(stale).toMatchObject({
      status: 409,
      body: { kind: "conflict", current: { body: "one" } },
    });
    expect(await route(post("topic/remove", { slug: "a", ifMatch: "old" }), data)).toMatchObject({
      status: 409,
    });
    expect((await route(get("topic", { slug: "a" }), data)).body).toMatchObject({ body: "one" });
  });

  it("saves an edit of the stored version", async () => {
    const data = memoryData();
    await route(post("topic/save", { slug: "a", text: topicText("a", "one") }), data);
    const { hash } = (await route(get("topic", { slug: "a" }), data)).body as { hash: string };
    const edit = post("topic/save", { slug: "a", text: topicText("a", "two"), ifMatch: hash });
    expect((await route(edit, data)).status).toBe(200);
    expect((await route(get("topic", { slug: "a" }), data)).body).toMatchObject({ body: "two" });
  });

  it.for([
    ["an unknown path", get("nothing"), 404],
    ["a name of every object", get("constructor"), 404],
    ["a change with GET", get("topic/save"), 405],
    ["a read with POST", post("topics", {}), 405],
    ["a topic that is not there", get("topic", { slug: "gone" }), 404],
    ["an unknown scope", get("topic", { scope: "team", slug: "a" }), 400],
    ["a body that is a list", post("topic/save", []), 400],
    ["a text that is a number", post("topic/save", { slug: "a", text: 7 }), 400],
    ["a deletion without a version", post("topic/remove", { slug: "a" }), 400],
    ["an undo without an id", post("change/undo", { id: "" }), 400],
    [
      "an edit of a proposal with an unknown type",
      post("inbox/accept", { id: "1", edited: { description: "d", body: "b", type: "x" } }),
      400,
    ],
    ["a repair without a scope", post("health/fix", undefined), 400],
    ["a part that is not in the prompt", get("prompt/part", { part: "7" }), 404],
    ["an empty search", get("search", { q: " " }), 400],
    ["a change that is refused", post("topic/rename", { slug: "a", to: "b" }), 422],
  ] as const)("answers %s with a status and changes nothing", async ([, request, status]) => {
    const data = memoryData();
    const { status: answered, body } = await route(request, data);
    expect(answered).toBe(status);
    expect(body).toMatchObject({ kind: "refused", message: expect.any(String) });
    expect(data.calls).toEqual([]);
    expect(await data.changes("project")).toEqual([]);
  });

  it("accepts a proposal as the user edited it", async () => {
    const data = memoryData();
    const edited = { description: "d", type: "project", body: "mine" };
    await route(post("inbox/accept", { id: "1", edited }), data);
    await route(post("inbox/reject", { id: "2" }), data);
    expect(data.calls).toEqual(["accept 1 mine", "reject 2"]);
  });
});
