import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { PipelineError } from "../../../src/run/errors.ts";
import { openDatabase } from "../../../src/node/store/database/open-database.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import { MIGRATIONS } from "../../../src/node/store/database/schema.ts";
import {
  databasePath,
  extract,
  NOW,
  openStore,
  query,
  register,
  session,
} from "./store-fixture.ts";

const OLD_DATABASE = new URL(
  "../../../../../test/corpus/data/home/.local/state/caliban/memories.sqlite",
  import.meta.url,
);

const mode = async (path: string) => (await stat(path)).mode & 0o777;

async function openError(path: string): Promise<PipelineError> {
  try {
    const store = await openPipelineStore({ path });
    store.close();
  } catch (error) {
    if (error instanceof PipelineError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

describe("openPipelineStore: the file", () => {
  it("creates the file, its log and its directory for the owner only", async () => {
    const path = await databasePath();
    const store = await openStore(path);
    register(store, [session("a")]);
    expect(await mode(dirname(path))).toBe(0o700);
    for (const suffix of ["", "-wal", "-shm"]) expect(await mode(`${path}${suffix}`)).toBe(0o600);
  });

  it("makes an existing file and its log private", async () => {
    const path = await databasePath();
    const first = await openStore(path);
    register(first, [session("a")]);
    for (const suffix of ["", "-wal", "-shm"]) await chmod(`${path}${suffix}`, 0o644);
    await openStore(path);
    for (const suffix of ["", "-wal", "-shm"]) expect(await mode(`${path}${suffix}`)).toBe(0o600);
  });

  it.each(["", "-wal", "-shm"])("rejects a symbolic link at %j", async (suffix) => {
    const path = await databasePath();
    await mkdir(dirname(path));
    const target = join(dirname(path), "target");
    await writeFile(target, "mine");
    await symlink(target, `${path}${suffix}`);
    expect(await openError(path)).toMatchObject({
      code: "STATE_UNUSABLE",
      message: expect.stringContaining("symbolic link"),
    });
    expect(await readFile(target, "utf8")).toBe("mine");
  });

  it("rejects a directory", async () => {
    const path = await databasePath();
    await mkdir(path, { recursive: true });
    expect(await openError(path)).toMatchObject({
      code: "STATE_UNUSABLE",
      message: expect.stringContaining("not a regular file"),
    });
  });

  it("rejects a file that cannot be written, with the reason", async () => {
    const path = await databasePath();
    (await openPipelineStore({ path })).close();
    await chmod(path, 0o400);
    await chmod(dirname(path), 0o755);
    await chmod(dirname(dirname(path)), 0o755);
    const error = await withoutPrivileges(async () => await openError(path));
    expect(error).toMatchObject({
      code: "STATE_UNUSABLE",
      message: expect.stringMatching(/check the owner/),
    });
  });

  it("rejects a directory that cannot be created, with the reason", async () => {
    const path = await databasePath();
    await writeFile(dirname(path), "a file");
    expect((await openError(path)).code).toBe("STATE_UNUSABLE");
  });
});

describe("openPipelineStore: the schema version", () => {
  it("rejects a newer version and leaves the file alone", async () => {
    const path = await databasePath();
    const { database } = await openDatabase({ path });
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    database.close();
    const error = await openError(path);
    expect(error.code).toBe("STATE_UNUSABLE");
    expect(error.message).toMatch(/ was written by a newer version of caliban .*; update caliban$/);
    expect(await readdir(dirname(path))).toEqual(["memories.sqlite"]);
  });

  it("migrates a database of version 0.0.0, whose runs have reasons without codes", async () => {
    const path = await databasePath();
    await mkdir(dirname(path));
    await copyFile(OLD_DATABASE, path);
    const old = new DatabaseSync(path);
    old.exec(
      `INSERT INTO runs (project, trigger, started_at_ms, outcome, reason)
       SELECT project, 'now', started_at_ms, 'stopped', 'the daily budget is used up' FROM runs WHERE id = 1`,
    );
    old.close();
    const store = await openStore(path);
    const [project = ""] = store.admin.projects();
    const runs = () => store.admin.stats(query({ project })).runs;
    expect(runs()).toMatchObject([
      { outcome: "stopped", reason: "the daily budget is used up", reasonCode: undefined },
      { outcome: "done", sessionsRead: 1, reasonCode: undefined },
      { outcome: "done", sessionsRead: 8, reasonCode: undefined },
    ]);
    const end = { sessionsRead: 0, sessionsFailed: 0, hasConsolidated: false, nowMs: NOW };
    const id = store.ledger.begin({ project, trigger: "now", nowMs: NOW });
    store.ledger.end(id, { ...end, outcome: "stopped", reason: "late", reasonCode: "BUDGET" });
    expect(runs()[0]).toMatchObject({ reason: "late", reasonCode: "BUDGET" });
  });

  it("shows a run whose reason has a code of a newer version", async () => {
    const path = await databasePath();
    const { database } = await openDatabase({ path });
    database.exec(
      `INSERT INTO runs (project, trigger, started_at_ms, outcome, reason, reason_code)
       VALUES ('p', 'now', 0, 'skipped', 'it rains', 'WEATHER')`,
    );
    database.close();
    const store = await openStore(path);
    expect(store.admin.stats(query()).runs).toMatchObject([
      { outcome: "skipped", reason: "it rains", reasonCode: undefined },
    ]);
  });

  it("migrates an empty file", async () => {
    const path = await databasePath();
    await mkdir(dirname(path));
    await writeFile(path, "");
    const store = await openStore(path);
    expect(store.admin.projects()).toEqual([]);
  });
});

describe("openPipelineStore: a damaged file", () => {
  it("moves a damaged file to a backup, and reports it", async () => {
    const path = await databasePath();
    await mkdir(dirname(path));
    await writeFile(path, "no database ".repeat(400));
    const notices: string[] = [];
    const store = await openPipelineStore({
      path,
      onNotice: ({ message }) => notices.push(message),
    });
    register(store, [session("a")]);
    expect(store.extractions.count(query()).due).toBe(1);
    store.close();
    const backups = (await readdir(dirname(path))).filter((name) => name.includes(".damaged-"));
    const [name = ""] = backups;
    expect(backups).toEqual([name]);
    expect(await readFile(join(dirname(path), name), "utf8")).toContain("no database");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(`${path} was damaged`);
    expect(notices[0]).toContain(join(dirname(path), name));
    const again = await openPipelineStore({
      path,
      onNotice: ({ message }) => notices.push(message),
    });
    expect(again.extractions.count(query()).due).toBe(1);
    again.close();
    expect(notices).toHaveLength(1);
  });

  it("moves a file to a backup whose damage shows late, and starts over", async () => {
    const path = await databasePath();
    const first = await openPipelineStore({ path });
    register(first, [session("a")]);
    extract(first, "learned");
    first.close();
    const bytes = await readFile(path);
    // The first page, which identifies a database, stays intact.
    await writeFile(path, bytes.fill(0xff, 4096));
    const store = await openStore(path);
    const other = await openStore(path);
    expect(() => store.admin.stats(query())).toThrow(
      expect.objectContaining({
        code: "STATE_UNUSABLE",
        message: expect.stringContaining(".damaged-"),
      }),
    );
    const next = await openStore(path);
    expect(next.admin.projects()).toEqual([]);
    // A process that still has the old file open does not replace the new one.
    register(next, [session("b")]);
    expect(() => other.admin.stats(query())).toThrow(
      expect.objectContaining({ code: "STATE_UNUSABLE" }),
    );
    const last = await openStore(path);
    expect(last.admin.projects()).toEqual(["p"]);
    expect(next.admin.projects()).toEqual(["p"]);
    const names = await readdir(dirname(path));
    expect(
      names.filter((name) => /\.damaged-[^-]*-[^-]*-[^-]*-[^-]*-[^-]*$/.test(name)),
    ).toHaveLength(1);
  });
});

it("rolls back a change that fails in the middle", async () => {
  const store = await openStore();
  const broken = session("b", { path: Symbol("no text") as never });
  expect(() => register(store, [session("a"), broken])).toThrow(Error);
  expect(store.registry.known("p", "caliban")).toEqual([]);
  register(store, [session("a")]);
  expect(store.registry.known("p", "caliban")).toHaveLength(1);
});

it("can be closed twice", async () => {
  const store = await openStore();
  store.close();
  store.close();
  expect(() => store.admin.projects()).toThrow(Error);
});
