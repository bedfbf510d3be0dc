import { describe, expect, it } from "vitest";
import { STORES } from "../anthropic/memory-stores.ts";
import { policyWith } from "../support/rules.ts";
import { openApi, type Sent } from "./open-api.ts";

interface Version {
  readonly id: string;
  readonly operation: string;
  readonly content: string | null;
  readonly path: string | null;
  readonly redacted_at: string | null;
}

function versionsIn({ body }: Sent): readonly Version[] {
  return body["data"] as readonly Version[];
}

describe.each(STORES)("versions of a store $kind", ({ open }) => {
  it("records who changed what, newest first, for a memory under all of its paths", async () => {
    const store = await open();
    const { send } = openApi(store);
    const { body } = await send("POST", "/memories", { body: { path: "/a.md", content: "one" } });
    const path = `/memories/${String(body["id"])}`;
    await send("POST", path, { body: { content: "two" } });
    await send("POST", path, { body: { path: "/b.md" } });
    const current = await store.read("b");
    await store.edit({
      name: "b",
      text: `${current?.text}three`,
      ifMatch: current?.hash,
      author: { who: "person" },
    });
    await send("DELETE", path);
    await send("POST", "/memories", { body: { path: "/other.md", content: "x" } });
    const query = { memory_id: String(body["id"]), view: "full" };
    const all = await send("GET", "/memory_versions", { query });
    expect(
      versionsIn(all).map(({ operation, content, path: at }) => [operation, at, content]),
    ).toEqual([
      ["deleted", "/b.md", null],
      ["modified", "/b.md", "twothree"],
      ["modified", "/b.md", "two"],
      ["modified", "/a.md", "two"],
      ["created", "/a.md", "one"],
    ]);
    expect(all.body["data"]).toMatchObject([
      { created_by: { type: "api_actor", api_key_id: "ci" } },
      { created_by: { type: "user_actor", user_id: "local" } },
      {},
      {},
      { created_by: { type: "api_actor" } },
    ]);
    const created = await send("GET", "/memory_versions", {
      query: { operation: "created", api_key_id: "ci" },
    });
    expect(versionsIn(created)).toHaveLength(2);
    const someone = { query: { api_key_id: "other" } };
    expect(versionsIn(await send("GET", "/memory_versions", someone))).toEqual([]);
    const one = versionsIn(all)[4]?.id;
    expect((await send("GET", `/memory_versions/${one}`)).body).toMatchObject({ content: "one" });
    const late = { query: { "created_at[gte]": "2999-01-01T00:00:00Z" } };
    expect(versionsIn(await send("GET", "/memory_versions", late))).toEqual([]);
  });

  it("shows the current version of each memory among its versions", async () => {
    const { send } = openApi(await open());
    const created = await send("POST", "/memories", { body: { path: "/a.md", content: "one" } });
    const path = `/memories/${String(created.body["id"])}`;
    const updated = await send("POST", path, { body: { content: "two" } });
    const read = await send("GET", path);
    expect(read.body["memory_version_id"]).toBe(updated.body["memory_version_id"]);
    const [newest, oldest] = versionsIn(await send("GET", "/memory_versions"));
    expect(newest?.id).toBe(updated.body["memory_version_id"]);
    expect(oldest?.id).toBe(created.body["memory_version_id"]);
  });

  it("erases the text of an old version for good, and keeps who changed what", async () => {
    const store = await open();
    const { send } = openApi(store);
    const { body } = await send("POST", "/memories", {
      body: { path: "/a.md", content: "the word is xyzzy" },
    });
    const [first] = versionsIn(await send("GET", "/memory_versions"));
    const redact = `/memory_versions/${first?.id}/redact`;
    expect((await send("POST", redact)).status).toBe(403);
    // The current text is not erased behind the back of those who use it.
    expect((await send("POST", redact, { mayRedact: true })).status).toBe(400);
    const path = `/memories/${String(body["id"])}`;
    await send("POST", path, { body: { content: "two" } });
    await send("POST", path, { body: { content: "three" } });
    const redacted = await send("POST", redact, { mayRedact: true });
    expect(redacted.body).toMatchObject({
      id: first?.id,
      content: null,
      content_sha256: null,
      path: null,
      created_by: { type: "api_actor" },
    });
    expect(redacted.body["redacted_at"]).not.toBeNull();
    expect((await send("POST", redact, { mayRedact: true })).status).toBe(200);
    expect(JSON.stringify(await store.log())).not.toContain("xyzzy");
    const query = { query: { view: "full" } };
    const texts = versionsIn(await send("GET", "/memory_versions", query)).map(
      ({ content, operation }) => [operation, content],
    );
    expect(texts).toEqual([
      ["modified", "three"],
      ["modified", "two"],
      ["created", null],
    ]);
    expect((await send("GET", path)).body).toMatchObject({ id: body["id"], content: "three" });
  });

  it("hides the versions of a memory that a rule hides, under all of its names", async () => {
    const store = await open();
    const { send } = openApi(store);
    const { body } = await send("POST", "/memories", {
      body: { path: "/pay.md", content: "xyzzy" },
    });
    await send("POST", `/memories/${String(body["id"])}`, { body: { path: "/renamed.md" } });
    const policy = policyWith({ deny: "memory.read(pay*)" });
    const hidden = openApi(store, { policy: () => policy });
    expect(versionsIn(await hidden.send("GET", "/memory_versions"))).toEqual([]);
  });
});
