import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STORES } from "../anthropic/memory-stores.ts";
import { policyWith } from "../support/rules.ts";
import { errorOf, openApi, type Sent, sha256Hex, type TestApi } from "./open-api.ts";

const HAND_MADE = `---
# kept since 2024
owner: Ann # of QA
description: how we deploy
metadata: {type: reference, reviewed: 2024-05-01}
---

Run the migrations.
`;

async function create({ send }: TestApi, path: string, content: string): Promise<Sent> {
  return await send("POST", "/memories", { body: { path, content } });
}

async function contentOf({ send }: TestApi, id: unknown): Promise<unknown> {
  return (await send("GET", `/memories/${String(id)}`)).body["content"];
}

function condition(content: string): object {
  return { type: "content_sha256", content_sha256: sha256Hex(content) };
}

describe.each(STORES)("memories of a store $kind", ({ open }) => {
  it("returns any content exactly, with its hash and size", async () => {
    const api = openApi(await open());
    const { body } = await create(api, "/notes/any.md", "first");
    const content = fc
      .array(fc.constantFrom("a", "ü", " ", "\n", "\r\n", "---", "# ", "name: x", "\uFEFF", "😀"), {
        maxLength: 8,
      })
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        const path = `/memories/${String(body["id"])}`;
        const updated = await api.send("POST", path, { body: { content: text } });
        const read = await api.send("GET", path);
        expect(updated.status).toBe(200);
        expect(read.body).toMatchObject({
          content: text,
          content_sha256: sha256Hex(text),
          content_size_bytes: Buffer.byteLength(text),
          memory_version_id: updated.body["memory_version_id"],
        });
      }),
      { numRuns: 30 },
    );
  });

  it("shows a topic of the user without its header, and keeps the header when it changes", async () => {
    const store = await open({ "deploy.md": HAND_MADE });
    const api = openApi(store);
    const { body } = await api.send("GET", "/memories", { query: { view: "full" } });
    expect(body["data"]).toMatchObject([{ path: "/deploy.md", content: "Run the migrations.\n" }]);
    const [memory] = body["data"] as readonly { readonly id: string }[];
    await api.send("POST", `/memories/${memory?.id}`, { body: { content: "Flip the flag.\n" } });
    const file = (await store.read("deploy"))?.text ?? "";
    for (const part of ["# kept since 2024", "owner: Ann # of QA", "how we deploy", "reference"])
      expect(file).toContain(part);
    expect(file).toContain("origin: other-agent");
    expect(file.endsWith("---\n\nFlip the flag.\n")).toBe(true);
  });

  it("changes a memory only if it has the expected content, and answers a repeated request alike", async () => {
    const api = openApi(await open());
    const { body } = await create(api, "/deploy.md", "one");
    const path = `/memories/${String(body["id"])}`;
    const change = { content: "two", precondition: condition("one") };
    expect((await api.send("POST", path, { body: change })).status).toBe(200);
    expect((await api.send("POST", path, { body: change })).status).toBe(200);
    const other = await api.send("POST", path, { body: { ...change, content: "three" } });
    expect([other.status, errorOf(other)]).toEqual([409, "memory_precondition_failed_error"]);
    const query = { expected_content_sha256: sha256Hex("one") };
    const removal = await api.send("DELETE", path, { query });
    expect([removal.status, errorOf(removal)]).toEqual([409, "memory_precondition_failed_error"]);
    expect(await contentOf(api, body["id"])).toBe("two");
    const known = { expected_content_sha256: sha256Hex("two") };
    expect((await api.send("DELETE", path, { query: known })).body).toEqual({
      type: "memory_deleted",
      id: body["id"],
    });
    expect((await api.send("GET", path)).status).toBe(404);
  });

  it("lets one of many writers with the same expectation win", async () => {
    const api = openApi(await open());
    const { body } = await create(api, "/counter.md", "0");
    const path = `/memories/${String(body["id"])}`;
    const writers = Array.from({ length: 10 }, (_, writer) =>
      api.send("POST", path, { body: { content: `by ${writer}`, precondition: condition("0") } }),
    );
    const statuses = (await Promise.all(writers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  it("keeps the id of a memory that gets another path, and gives a new memory at the old path another id", async () => {
    const store = await open();
    const api = openApi(store);
    const { body } = await create(api, "/old.md", "text");
    const path = `/memories/${String(body["id"])}`;
    const moved = await api.send("POST", path, { body: { path: "/new/name.md" } });
    expect(moved.body).toMatchObject({ id: body["id"], path: "/new/name.md" });
    expect(moved.body["created_at"]).toBeDefined();
    const again = await create(api, "/old.md", "other");
    expect(again.status).toBe(200);
    expect(again.body["id"]).not.toBe(body["id"]);
    // Also for a server that starts later.
    const later = openApi(store);
    expect(await contentOf(later, body["id"])).toBe("text");
    expect(await contentOf(later, again.body["id"])).toBe("other");
  });

  it("moves a memory only if it still has the expected content when it is moved", async () => {
    const store = await open();
    const { body } = await create(openApi(store), "/a.md", "one");
    const { send } = openApi({
      ...store,
      rename: async (request) => {
        // Another client was faster.
        await openApi(store).send("POST", `/memories/${String(body["id"])}`, {
          body: { content: "two" },
        });
        return await store.rename(request);
      },
    });
    const move = { path: "/b.md", precondition: condition("one") };
    const answer = await send("POST", `/memories/${String(body["id"])}`, { body: move });
    expect([answer.status, errorOf(answer)]).toEqual([409, "memory_precondition_failed_error"]);
    expect((await store.read("a"))?.topic.body).toBe("two");
  });

  it("refuses a path that is taken, or above or below another one", async () => {
    const api = openApi(await open({ "Deploy.md": HAND_MADE }));
    const { body } = await create(api, "/notes", "x");
    const cases = [
      ["/notes", "/notes"],
      ["/notes/todo.md", "/notes"],
      ["/deploy.md", "/Deploy.md"],
      ["/Deploy.md/x", "/Deploy.md"],
    ] as const;
    for (const [path, taken] of cases) {
      const answer = await create(api, path, "y");
      expect([path, answer.status, errorOf(answer)]).toEqual([
        path,
        409,
        "memory_path_conflict_error",
      ]);
      expect(answer.body["error"]).toMatchObject({ conflicting_path: taken });
    }
    const first = await create(api, "/a/b.md", "x");
    const rename = { body: { path: "/notes/b.md" } };
    const answer = await api.send("POST", `/memories/${String(first.body["id"])}`, rename);
    expect(answer.body["error"]).toMatchObject({ conflicting_memory_id: body["id"] });
  });

  it("lists memories in the order of their paths, in pages, below a prefix, and by directory", async () => {
    const api = openApi(await open());
    const paths = ["/a.md", "/b/1.md", "/b/2.md", "/b/c/3.md", "/bb.md"];
    for (const path of paths) await create(api, path, path);
    const list = async (query: Record<string, string>): Promise<readonly string[]> => {
      const found: string[] = [];
      let page: string | null = "";
      while (page !== null) {
        const { body } = await api.send("GET", "/memories", { query: { ...query, page } });
        const data = body["data"] as readonly { readonly path: string; readonly type: string }[];
        found.push(...data.map(({ path, type }) => (type === "memory" ? path : `${type} ${path}`)));
        page = body["next_page"] as string | null;
      }
      return found;
    };
    expect(await list({ limit: "2" })).toEqual(paths);
    expect(await list({ path_prefix: "/b/" })).toEqual(["/b/1.md", "/b/2.md", "/b/c/3.md"]);
    expect(await list({ depth: "1", limit: "1" })).toEqual([
      "/a.md",
      "memory_prefix /b/",
      "/bb.md",
    ]);
  });

  it("refuses what no memory can be, and changes nothing", async () => {
    const store = await open();
    const api = openApi(store);
    const { body } = await create(api, "/known.md", "text");
    const known = `/memories/${String(body["id"])}`;
    const bad: readonly (readonly [string, string, unknown, Record<string, string>?])[] = [
      ["POST", "/memories", undefined],
      ["POST", "/memories", []],
      ["POST", "/memories", "text"],
      ["POST", "/memories", { path: "/x.md" }],
      ["POST", "/memories", { path: "/x.md", content: null }],
      ["POST", "/memories", { path: "/x.md", content: 7 }],
      ["POST", "/memories", { path: 7, content: "x" }],
      ["POST", "/memories", { content: "x" }],
      ...[
        "x.md",
        "",
        "/",
        "//x.md",
        "/../x.md",
        "/a/../x.md",
        "/./x.md",
        "/a/",
        "/a\\b.md",
        "/a\0b",
        "/a\u202Eb",
        "/e\u0301.md",
        "/MEMORY.md",
        "/memory.md",
        `/${"a/".repeat(20)}b`,
        `/${"a".repeat(120)}.md`,
        `/${"a".repeat(1_100)}.md`,
      ].map((path) => ["POST", "/memories", { path, content: "x" }] as const),
      ["POST", "/memories", { path: "/x.md", content: "a\uD800b" }],
      ["POST", "/memories", { path: "/x.md", content: "x".repeat(262_145) }],
      ["POST", known, { content: 7 }],
      ["POST", known, { path: [] }],
      ["POST", known, { content: "b", path: "/b.md" }],
      ["POST", known, { content: "b", precondition: "x" }],
      ["POST", known, { content: "b", precondition: { type: "etag", content_sha256: "x" } }],
      ["POST", known, { content: "b", precondition: { type: "content_sha256" } }],
      ["DELETE", known, undefined, { expected_content_sha256: "ABC" }],
      ["PUT", known, { content: "b" }],
      ["GET", "/memories", undefined, { limit: "0" }],
      ["GET", "/memories", undefined, { limit: "x" }],
      ["GET", "/memories", undefined, { page: "!" }],
      ["GET", "/memories", undefined, { depth: "2" }],
      ["GET", "/memories", undefined, { path_prefix: "a" }],
      ["GET", "/memories", undefined, { view: "all" }],
      ["GET", "/memory_versions", undefined, { page: "eA" }],
      ["GET", "/memory_versions", undefined, { "created_at[gte]": "yesterday" }],
      ["DELETE", "", undefined],
    ];
    for (const [method, path, given, query = {}] of bad) {
      const answer = await api.send(method, path, { body: given, query });
      const shown = `${method} ${path} ${JSON.stringify(given)?.slice(0, 60)} ${JSON.stringify(query)}`;
      expect([shown, answer.status, errorOf(answer)]).toEqual([
        shown,
        400,
        "invalid_request_error",
      ]);
    }
    const missing = ["/memories/mem_eA", "/memories/x", "/memories/mem_..%2f", "/x", `${known}/x`];
    for (const path of missing)
      expect([path, (await api.send("GET", path)).status]).toEqual([path, 404]);
    expect((await store.list()).topics.map(({ slug }) => slug)).toEqual(["known"]);
    expect(await contentOf(api, body["id"])).toBe("text");
  });

  it("refuses secrets, and says in which line they are", async () => {
    const api = openApi(await open());
    const secret = ["AK", "IAQWERTYUIOPASDFGH"].join("");
    const answer = await create(api, "/keys.md", `first\n${secret}\n`);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain("line 2");
    expect(JSON.stringify(answer.body)).not.toContain(secret);
    const hidden = `/d/${["password", "hunter2hunter2X9"].join("=")}.txt`;
    expect((await create(api, hidden, "x")).status).toBe(400);
  });

  it("hides what a rule denies or would ask about, and changes nothing against one", async () => {
    const store = await open({ "deploy.md": HAND_MADE, "payroll.md": HAND_MADE });
    const rules = { deny: "memory.read(pay*)", ask: "memory.delete" };
    const api = openApi(store, { policy: () => policyWith(rules) });
    const { body } = await api.send("GET", "/memories");
    expect(body["data"]).toMatchObject([{ path: "/deploy.md" }]);
    const unlimited = openApi(store);
    const all = (await unlimited.send("GET", "/memories")).body["data"] as readonly {
      readonly id: string;
    }[];
    const payroll = `/memories/${all[1]?.id}`;
    expect((await api.send("GET", payroll)).status).toBe(404);
    expect((await api.send("POST", payroll, { body: { content: "x" } })).status).toBe(404);
    const taken = await create(api, "/payroll.md", "x");
    expect(taken.body["error"]).toMatchObject({ conflicting_memory_id: "" });
    expect((await api.send("DELETE", `/memories/${all[0]?.id}`)).status).toBe(403);
    const readOnly = openApi(store, { policy: () => policyWith({ deny: "memory.write" }) });
    expect((await create(readOnly, "/new.md", "x")).status).toBe(403);
  });

  it("lets a client with access to read only read, and shows nothing to others", async () => {
    const api = openApi(await open({ "deploy.md": HAND_MADE }));
    const body = { path: "/x.md", content: "x" };
    expect((await api.send("POST", "/memories", { body, access: "read" })).status).toBe(403);
    expect((await api.send("GET", "/memories", { access: "read" })).status).toBe(200);
    expect((await api.send("GET", "/memories", { access: "none" })).status).toBe(404);
    expect((await api.send("GET", "", { access: "none" })).status).toBe(404);
  });
});
