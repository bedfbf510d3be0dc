import { execFile } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Change, createTopicStore, INDEX_FILE, type TopicStore } from "@caliban/memory";
import { topicBackendCases, topicStoreCases } from "@caliban/memory/testing";
import { childEnvironment } from "../../../../test/support/child-environment.ts";
import { fencedBlocks } from "../../../../test/support/markdown-blocks.ts";
import { hasTool } from "../../../../test/support/optional-tool.ts";
import { startPostgres, type PostgresServer } from "../../../../test/support/postgres-server.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import {
  createPostgresBackend,
  migrate,
  type PostgresBackend,
  type PostgresBackendInput,
} from "../../src/node/index.ts";
import { createConnection } from "../../src/node/connection.ts";
import { applyMigrations } from "../../src/node/migrate.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../../src/schema.ts";
import { channelOf } from "../../src/store-key.ts";
import { startProxy, type Fault } from "../support/proxy.ts";

let server: PostgresServer;
let admin: Pool;
// One server for all tests, because starting one takes seconds.
const hasPostgres = await hasTool("postgres", async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

let projects = 0;
/** A project that no other test uses. */
function newProject(): string {
  projects += 1;
  return `project-${projects}`;
}

function open(input: Partial<PostgresBackendInput> = {}): PostgresBackend {
  const { pool, url = pool === undefined ? server.url : undefined } = input;
  const key = { project: input.project ?? newProject(), scope: "project" };
  const backend = createPostgresBackend({ ...key, ...input, url });
  onTestFinished(() => backend.close());
  return backend;
}

function record(id: string): Change {
  return { id, at: "2026-11-18T08:00:00.000Z", who: "agent", action: "write", files: [] };
}

async function write(backend: PostgresBackend, text: string, id?: string): Promise<string> {
  const [current] = await backend.read(["deploy"]);
  const result = await backend.commit({
    changes: [{ name: "deploy", expected: current?.version ?? null, text }],
    ...(id === undefined ? {} : { record: record(id) }),
  });
  return result.kind;
}

async function texts(backend: PostgresBackend): Promise<readonly string[]> {
  const { entries } = await backend.list({ limit: 100 });
  return (await backend.read(entries.map(({ name }) => name))).map(({ text }) => text);
}

async function ids(backend: PostgresBackend): Promise<readonly string[]> {
  return (await backend.history({ limit: 100 })).changes.map(({ id }) => id);
}

describe.skipIf(!hasPostgres)("createPostgresBackend", () => {
  beforeAll(async () => {
    admin = new Pool({ connectionString: server.url });
    await migrate({ url: server.url });
  });

  describe("contract", () => {
    const cases = topicBackendCases(async () => {
      const project = newProject();
      return { backend: open({ project }), reopen: async () => open({ project }) };
    });
    it.for(cases)("$name", async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });

  describe("contract of a store", () => {
    const projectOf = new Map<TopicStore, string>();
    let nowMs = Date.parse("2026-11-18T00:00:00Z");
    const openStore = (project: string): TopicStore => {
      const store = createTopicStore({ backend: open({ project }), now: () => (nowMs += 1000) });
      projectOf.set(store, project);
      return store;
    };
    const cases = topicStoreCases(
      async (files) => {
        const project = newProject();
        const changes = Object.entries(files).map(([name, text]) => ({
          name: name === INDEX_FILE ? name : name.replace(/\.md$/, ""),
          expected: null,
          text,
        }));
        if (changes.length > 0) await open({ project }).commit({ changes });
        return openStore(project);
      },
      { reopen: async (store) => openStore(projectOf.get(store) ?? "") },
    );
    it.for(cases)("$name", async ({ run }) => {
      await expect(run()).resolves.toBeUndefined();
    });
  });

  it("keeps tenants, projects and scopes apart", async () => {
    const project = newProject();
    const stores = [
      open({ project }),
      open({ project, tenant: "acme" }),
      open({ project, scope: "user" }),
      open({ project: `${project}-2` }),
    ];
    for (const [number, store] of stores.entries()) {
      expect(await write(store, `text ${number}`, `r-${number}`)).toBe("committed");
    }
    for (const [number, store] of stores.entries()) {
      expect(await texts(store)).toEqual([`text ${number}`]);
      expect(await ids(store)).toEqual([`r-${number}`]);
    }
  });

  it("orders names by code point in a database that orders them like words", async () => {
    await admin.query(
      "CREATE DATABASE words TEMPLATE template0 ENCODING UTF8 LOCALE_PROVIDER icu ICU_LOCALE 'en'",
    );
    const url = server.url.replace(/postgres$/, "words");
    await migrate({ url });
    const backend = open({ url });
    const changes = ["a", "é", "B", "z"].map((name) => ({ name, expected: null, text: name }));
    await backend.commit({ changes });
    const { entries } = await backend.list({ limit: 9 });
    expect(entries.map(({ name }) => name)).toEqual(["B", "a", "z", "é"]);
    expect((await backend.list({ after: "B", limit: 9 })).entries.length).toBe(3);
  });

  it("works with a pool of the caller, whatever its isolation level, and leaves it open", async () => {
    const options = "-c default_transaction_isolation=serializable";
    const pool = new Pool({ connectionString: server.url, options });
    onTestFinished(() => pool.end());
    const backend = open({ pool });
    const writes = Array.from({ length: 8 }, async (_, number) => {
      const changes = [{ name: `t-${number}`, expected: null, text: "x" }];
      return (await backend.commit({ changes })).kind;
    });
    expect(new Set(await Promise.all(writes))).toEqual(new Set(["committed"]));
    await backend.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });

  it("commits a change once, even if the caller repeats it", async () => {
    const backend = open();
    const changes = [{ name: "deploy", expected: null, text: "x" }];
    const request = { changes, record: record("r-1") };
    const first = await backend.commit(request);
    expect(await backend.commit(request)).toEqual(first);
    // Nothing in a commit of a record alone can conflict.
    const alone = { changes: [], record: record("r-2") };
    expect(await backend.commit(alone)).toEqual({ kind: "committed", versions: new Map() });
    expect(await backend.commit(alone)).toEqual({ kind: "committed", versions: new Map() });
    expect(await ids(backend)).toEqual(["r-2", "r-1"]);
  });

  it("tells its own change from one of another writer with the same id and time", async () => {
    const backend = open();
    const changes = [{ name: "deploy", expected: null, text: "x" }];
    await backend.commit({ changes, record: record("r-1") });
    const other = { ...record("r-1"), session: "s-2" };
    expect(await backend.commit({ changes, record: other })).toEqual({
      kind: "conflict",
      names: ["deploy"],
    });
  });

  it("refuses characters that PostgreSQL cannot store, before it connects", async () => {
    const backend = open({ url: "postgres://127.0.0.1:1/nowhere" });
    for (const text of ["a\0b", "a\uD800b"]) {
      const inText = backend.commit({ changes: [{ name: "deploy", expected: null, text }] });
      await expect(inText).rejects.toMatchObject({ code: "INVALID_TOPIC" });
      const inName = backend.commit({ changes: [{ name: text, expected: null, text: "" }] });
      await expect(inName).rejects.toMatchObject({ code: "INVALID_TOPIC" });
    }
  });

  it("finds no entry under a name that cannot be stored", async () => {
    const backend = open();
    await backend.commit({ changes: [{ name: "a\uFFFD", expected: null, text: "x" }] });
    expect(await backend.read(["a\uD800", "a\0"])).toEqual([]);
  });

  it("enforces the row-level security of its README", async () => {
    const project = newProject();
    await write(open({ project, tenant: "acme" }), "of acme", "r-1");
    await write(open({ project, tenant: "umbrella" }), "of umbrella", "r-2");
    const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
    const example = fencedBlocks(readme).find(({ language }) => language === "sql");
    await admin.query(example?.code ?? "");

    const asAcme = new URL(server.url);
    [asAcme.username, asAcme.password] = ["acme", "change-me"];
    const url = asAcme.href;
    const own = open({ url, project, tenant: "acme" });
    expect(await texts(own)).toEqual(["of acme"]);
    expect(await write(own, "changed", "r-3")).toBe("committed");
    expect(await ids(own)).toEqual(["r-3", "r-1"]);
    const erased = { ...record("r-1"), isErased: true };
    await own.commit({ changes: [], rewritten: [erased] });
    expect((await own.history({ limit: 9 })).changes[1]).toEqual(erased);

    const foreign = open({ url, project, tenant: "umbrella" });
    expect(await texts(foreign)).toEqual([]);
    expect(await ids(foreign)).toEqual([]);
    const writing = foreign.commit({ changes: [{ name: "new", expected: null, text: "x" }] });
    await expect(writing).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await texts(open({ project, tenant: "umbrella" }))).toEqual(["of umbrella"]);
  });

  describe("lost connections", () => {
    const attempts: readonly { readonly fault: Fault; readonly at: string }[] = [
      { fault: "cut before", at: "BEGIN" },
      { fault: "cut before", at: "wanted AS" },
      { fault: "cut after", at: "wanted AS" },
      { fault: "cut before", at: "; COMMIT" },
      { fault: "cut after", at: "; COMMIT" },
      { fault: "hang", at: "; COMMIT" },
    ];
    it.for(
      attempts.flatMap((attempt) => [
        { ...attempt, kind: "with a record", id: "r-1" },
        { ...attempt, kind: "without a record", id: undefined },
      ]),
    )("commits once $kind after $fault at $at", async ({ fault, at, id }) => {
      const [project, proxy] = [newProject(), await startProxy(server.url)];
      const direct = open({ project });
      const backend = open({ project, url: proxy.url, statementTimeoutMs: 500 });
      await write(direct, "old");
      const [before] = await backend.read(["deploy"]);
      proxy.failOnce(fault, { at });
      const result = await backend.commit({
        changes: [{ name: "deploy", expected: before?.version ?? "", text: "new" }],
        ...(id === undefined ? {} : { record: record(id) }),
      });
      const [after] = await direct.read(["deploy"]);
      expect(proxy.faults()).toBe(1);
      expect(after?.text).toBe("new");
      expect(result).toEqual({
        kind: "committed",
        versions: new Map([["deploy", after?.version]]),
      });
      expect(await ids(direct)).toEqual(id === undefined ? [] : [id]);
    });

    it("reports a change that may have been saved if the server stays away", async () => {
      const [project, proxy] = [newProject(), await startProxy(server.url)];
      const limits = { connectTimeoutMs: 200, statementTimeoutMs: 200 };
      const backend = open({ project, url: proxy.url, ...limits });
      await backend.list({ limit: 1 });
      proxy.failOnce("cut after", { at: "; COMMIT", isDown: true });
      const writing = backend.commit({
        changes: [{ name: "deploy", expected: null, text: "x" }],
        record: record("r-1"),
      });
      await expect(writing).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("It may have been saved") as string,
      });
    });

    it("reads again on a new connection after the server closed an idle one", async () => {
      const [project, proxy] = [newProject(), await startProxy(server.url)];
      const backend = open({ project, url: proxy.url });
      await write(backend, "x");
      proxy.failOnce("cut before", { at: "left(text" });
      expect(await texts(backend)).toEqual(["x"]);
      expect(proxy.faults()).toBe(1);
    });

    it("lets the process end once its watchers have stopped", async () => {
      const script = fileURLToPath(new URL("watch-and-end.process.ts", import.meta.url));
      const args = ["--no-warnings", "--conditions=caliban:source", script, server.url];
      const env = childEnvironment(await temporaryDirectory());
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      expect(stdout).toBe("done\n");
    });

    it("watches again after its connection was closed, and reports what it may have missed", async () => {
      const project = newProject();
      const backend = open({ project });
      let calls = 0;
      const stop = await backend.watch?.(() => {
        calls += 1;
      });
      const channel = channelOf("caliban", { tenant: "default", project, scope: "project" });
      const listening = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN ${channel}'`;
      expect((await admin.query(listening)).rowCount).toBe(1);
      await expect.poll(() => calls).toBe(1);
      await write(open({ project }), "x");
      await expect.poll(() => calls).toBe(2);
      await stop?.();
      const left = `SELECT FROM pg_stat_activity WHERE query = 'LISTEN ${channel}'`;
      await expect.poll(async () => (await admin.query(left)).rowCount).toBe(0);
    });
  });

  describe("failures", () => {
    it("reports a wrong password without showing it", async () => {
      const url = server.url.replace("correct-horse", "hunter%402");
      for (const backend of [open({ url }), open({ pool: new Pool({ connectionString: url }) })]) {
        const error: unknown = await backend.list({ limit: 1 }).catch((reason: unknown) => reason);
        expect(error).toMatchObject({
          code: "STORE_UNAVAILABLE",
          message: "PostgreSQL refused the user or the password (28P01). Check the URL.",
        });
        expectNoSecret(error);
      }
    });

    it.for([
      "postgres://postgres:hunter@2:x/db",
      "postgres://postgres:hunter%2@127.0.0.1:1/db",
      "postgres://postgres:hunter#2@127.0.0.1/db",
      "postgres://postgres:hunter@2@127.0.0.1:99999/db",
      "postgres://127.0.0.1:1/db?password=hunter@2",
    ])("never shows any part of the unusable URL %s", async (url) => {
      const error: unknown = await open({ url, connectTimeoutMs: 500 })
        .list({ limit: 1 })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
      expectNoSecret(error);
    });

    it("reports a server that does not answer within the time limit", async () => {
      const proxy = await startProxy(server.url);
      const limits = { connectTimeoutMs: 100, statementTimeoutMs: 100 };
      const connecting = open({ url: proxy.url, ...limits });
      // The user name is in the first message.
      proxy.failOnce("hang", { at: "postgres" });
      await expect(connecting.list({ limit: 1 })).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
      const reading = open({ url: proxy.url, connectTimeoutMs: 5000, statementTimeoutMs: 1000 });
      await reading.list({ limit: 1 });
      proxy.failOnce("hang", { at: "left(text" });
      await expect(reading.list({ limit: 1 })).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: "PostgreSQL did not answer within 1000 ms",
      });
      expect(await reading.list({ limit: 1 })).toEqual({ entries: [], hasMore: false });
    });

    it("gives up on a lock that another writer keeps", async () => {
      const [project, proxy] = [newProject(), await startProxy(server.url)];
      const blocking = open({ project, url: proxy.url });
      await blocking.list({ limit: 1 });
      proxy.failOnce("hang", { at: "; COMMIT" });
      const blocked = write(blocking, "first");
      await expect.poll(() => proxy.faults()).toBe(1);
      const waiting = open({ project, statementTimeoutMs: 100 });
      await expect(write(waiting, "second")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await texts(waiting)).toEqual([]);
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'",
      );
      expect(await blocked).toBe("committed");
    });

    it("reports a server that is down at once", async () => {
      const backend = open({ url: "postgres://127.0.0.1:1/db", connectTimeoutMs: 60_000 });
      const unavailable = { code: "STORE_UNAVAILABLE" };
      await expect(backend.list({ limit: 1 })).rejects.toMatchObject(unavailable);
      await expect(write(backend, "x")).rejects.toMatchObject(unavailable);
      await expect(backend.watch?.(() => undefined)).rejects.toMatchObject(unavailable);
      const commit = backend.commit({ changes: [{ name: "a", expected: null, text: "x" }] });
      await expect(commit).rejects.toMatchObject(unavailable);
    });
  });

  describe("migrate", () => {
    const schema = 'my "schema"';
    const pending = {
      code: "STORE_INCOMPATIBLE",
      message: expect.stringContaining("migrate()") as string,
    };

    it("creates the tables once, however many processes ask for it, and keeps their data", async () => {
      const backend = open({ schema });
      await expect(backend.list({ limit: 1 })).rejects.toMatchObject(pending);
      await Promise.all(Array.from({ length: 4 }, () => migrate({ url: server.url, schema })));
      expect(await write(backend, "x", "r-1")).toBe("committed");
      await migrate({ url: server.url, schema });
      expect([await texts(backend), await ids(backend)]).toEqual([["x"], ["r-1"]]);
    });

    it("asks for migrate where the schema is older, and for an update where it is newer", async () => {
      const older = "older";
      const connection = createConnection("test", { url: server.url });
      onTestFinished(() => connection.close());
      await connection.run((query) => applyMigrations(query, { schema: older, migrations: [] }));
      await expect(open({ schema: older }).list({ limit: 1 })).rejects.toMatchObject(pending);
      await migrate({ url: server.url, schema: older });
      const project = newProject();
      await write(open({ project, schema: older }), "x");
      const next = {
        version: SCHEMA_VERSION + 1,
        statements: () => "ALTER TABLE older.entries ADD COLUMN note text",
      };
      const migrations = [...MIGRATIONS, next];
      await connection.run((query) => applyMigrations(query, { schema: older, migrations }));
      const update = {
        code: "STORE_INCOMPATIBLE",
        message: expect.stringContaining("Update @caliban/memory-postgres") as string,
      };
      await expect(open({ schema: older }).list({ limit: 1 })).rejects.toMatchObject(update);
      await expect(write(open({ schema: older }), "y")).rejects.toMatchObject(update);
      await expect(migrate({ url: server.url, schema: older })).rejects.toMatchObject(update);
      const { rows } = await admin.query("SELECT text, note FROM older.entries");
      expect(rows).toEqual([{ text: "x", note: null }]);
    });

    it("refuses a database that is not UTF-8", async () => {
      await admin.query("CREATE DATABASE latin ENCODING LATIN1 TEMPLATE template0");
      await expect(
        migrate({ url: server.url.replace(/postgres$/, "latin") }),
      ).rejects.toMatchObject({ code: "STORE_INCOMPATIBLE" });
    });
  });
});

describe("a driver that fails", () => {
  const input = { project: "p", scope: "project" };

  it("keeps secrets and other fields of its errors out of messages and causes", async () => {
    const failing = {
      options: { password: "hunter2" },
      connect: async () => {
        const fields = { code: "EHOST", input: "postgres://u:hunter2@h/db", detail: "hunter2" };
        throw Object.assign(new Error("cannot use hunter2"), fields);
      },
    };
    const error: unknown = await createPostgresBackend({ ...input, pool: failing })
      .read(["a"])
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "STORE_UNAVAILABLE", cause: { code: "EHOST" } });
    expectNoSecret(error);
  });

  it("survives a connection that ends between two statements", async () => {
    const released: unknown[] = [];
    const events = new EventEmitter();
    const client = Object.assign(events, {
      query: async () => {
        // As a socket does: not while a statement waits for its answer.
        await new Promise((resolve) => {
          setImmediate(() => {
            events.emit("error", new Error("Connection terminated unexpectedly"));
            resolve(undefined);
          });
        });
        throw new Error("Client has encountered a connection error and is not queryable");
      },
      release: (isDestroyed: unknown) => void released.push(isDestroyed),
    });
    const backend = createPostgresBackend({ ...input, pool: { connect: async () => client } });
    await expect(backend.read(["a"])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    // It was tried twice, and no broken connection goes back to the pool.
    expect(released).toEqual([true, true]);
  });
});

it("refuses a server that ignores the locks that keep writers apart", async () => {
  const rows = [{ server: "CockroachDB CCL v26.3.0", encoding: "UTF8" }];
  const sent: string[] = [];
  const client = {
    query: async (text: string) => {
      sent.push(text);
      return { rows };
    },
    on: () => undefined,
    removeListener: () => undefined,
    release: () => undefined,
  };
  await expect(migrate({ pool: { connect: async () => client } })).rejects.toMatchObject({
    code: "STORE_INCOMPATIBLE",
    message: expect.stringContaining("CockroachDB") as string,
  });
  expect(sent.filter((text) => text.includes("CREATE"))).toEqual([]);
});

describe("wrong arguments", () => {
  const url = "postgres://127.0.0.1/db";
  it.for([
    [undefined, '"project" is required'],
    [{ url, project: "p" }, '"scope" is required'],
    [{ url, project: "", scope: "project" }, '"project" must be a text that is not empty'],
    [{ url, project: "a\0b", scope: "project" }, '"project" must be a text that is not empty'],
    [{ url, project: "x".repeat(501), scope: "project" }, '"project" is longer than 500 bytes'],
    [{ url, project: "p", scope: "s", schema: "x".repeat(64) }, '"schema" is longer than 63 bytes'],
    [{ project: "p", scope: "project" }, 'pass either "pool" or "url"'],
    [{ url: "hunter@2", project: "p", scope: "project" }, '"url" must start with postgres://'],
    [
      { url, project: "p", scope: "project", statementTimeoutMs: "1; DROP TABLE x" },
      '"statementTimeoutMs" must be a positive integer',
    ],
    [{ pool: {}, project: "p", scope: "project" }, '"pool" must be a pool of pg'],
  ] as const)("refuses %j: %s", ([input, message]) => {
    expect(() => createPostgresBackend(input as never)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: `createPostgresBackend: ${message}`,
      }),
    );
  });
});

function expectNoSecret(error: unknown): void {
  const shown = inspect(error, { depth: 20, showHidden: true, getters: true });
  expect(shown).not.toMatch(/hunter/);
}
