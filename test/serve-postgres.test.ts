import { afterAll, describe, expect, it } from "vitest";
import { hasTool } from "./support/optional-tool.ts";
import { type PostgresServer, startPostgres } from "./support/postgres-server.ts";
import { createHome } from "./support/run-caliban.ts";
import { addToken, startServing, UNLIMITED } from "./support/serve.ts";
import { runLoad } from "./support/serve-load.ts";

let server: PostgresServer;
const hasPostgres = await hasTool("postgres", async () => {
  server = await startPostgres();
});

afterAll(() => server?.stop());

const SETTINGS =
  '[memory]\nstore = "postgres"\npostgres_url_variable = "TEAM_DATABASE"\nproject = "shop"\nwrite = "allow"\n';

/** A server on a machine of its own. */
async function startMachine() {
  const user = await createHome({ ".config/caliban/settings.toml": SETTINGS });
  const env = { TEAM_DATABASE: server.url };
  await user.run(["memory", "migrate"], { env });
  const { token, stores } = await addToken(user, ["ci", "--write"], env);
  const { url } = await startServing(user, UNLIMITED, env);
  const store = stores[0] ?? "";
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/v1/memory_stores/${store}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    return { status: response.status, body: answer };
  };
  return { url, token, store, send };
}

describe.skipIf(!hasPostgres)("two servers of one memory in PostgreSQL", () => {
  it("serves the same stores and memories on both, also after a change on the other one", async () => {
    const [one, other] = [await startMachine(), await startMachine()];
    expect(one.store).toBe(other.store);
    const created = await one.send("POST", "/memories", { path: "/a.md", content: "one" });
    const path = `/memories/${String(created.body["id"])}`;
    expect((await other.send("GET", path)).body).toMatchObject({ content: "one" });
    await other.send("POST", path, { content: "two" });
    const moved = await other.send("POST", path, { path: "/b.md" });
    const read = await one.send("GET", path);
    expect(read.body).toEqual({ ...moved.body, content: "two" });
    const precondition = { type: "content_sha256", content_sha256: created.body["content_sha256"] };
    expect((await one.send("POST", path, { content: "three", precondition })).status).toBe(409);
    await one.send("POST", "/memories", { path: "/a.md", content: "another" });
    expect((await other.send("GET", path)).body).toMatchObject({ path: "/b.md", content: "two" });
    await one.send("DELETE", path);
    expect((await other.send("GET", path)).status).toBe(404);
    const versions = await other.send(
      "GET",
      `/memory_versions?memory_id=${String(read.body["id"])}`,
    );
    expect(versions.body["data"]).toMatchObject([
      { operation: "deleted", path: "/b.md" },
      { operation: "modified", path: "/b.md" },
      { operation: "modified", path: "/a.md" },
      { operation: "created", path: "/a.md" },
    ]);
  });

  it("loses no update of 60 clients on two servers, and answers nothing but 200 and 409", async () => {
    const [one, other] = [await startMachine(), await startMachine()];
    const result = await runLoad({
      urls: [one.url, other.url],
      tokens: [one.token, other.token],
      store: one.store,
      clients: 60,
      memories: 8,
      goesOn: (requests) => requests < 6,
    });
    for (const { acknowledged, counted } of result.counters) expect(counted).toBe(acknowledged);
    expect(Object.keys(result.statuses).toSorted()).toEqual(["200", "409"]);
  });
});
