import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { PipelineError } from "../../../src/errors.ts";
import { openDatabase } from "../../../src/node/store/open-database.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import { MIGRATIONS } from "../../../src/node/store/schema.ts";
import { databasePath, extract, openStore, query, register, session } from "./store-home.ts";

const mode = async (path: string) => (await stat(path)).mode & 0o777;

async function refusal(path: string): Promise<PipelineError> {
  try {
    const store = await openPipelineStore({ path });
    store.close();
  } catch (error) {
    if (error instanceof PipelineError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

describe("the file", () => {
  it("is for its owner alone, with its log and its directory", async () => {
    const path = await databasePath();
    const store = await openStore(path);
    register(store, [session("a")]);
    expect(await mode(dirname(path))).toBe(0o700);
    for (const suffix of ["", "-wal", "-shm"]) expect(await mode(`${path}${suffix}`)).toBe(0o600);
  });

  it("is made private when it was not, with its log", async () => {
    const path = await databasePath();
    const first = await openStore(path);
    register(first, [session("a")]);
    for (const suffix of ["", "-wal", "-shm"]) await chmod(`${path}${suffix}`, 0o644);
    await openStore(path);
    for (const suffix of ["", "-wal", "-shm"]) expect(await mode(`${path}${suffix}`)).toBe(0o600);
  });

  it.each(["", "-wal", "-shm"])("is refused when %j of it is a link", async (suffix) => {
    const path = await databasePath();
    await mkdir(dirname(path));
    const target = join(dirname(path), "target");
    await writeFile(target, "mine");
    await symlink(target, `${path}${suffix}`);
    expect(await refusal(path)).toMatchObject({
      code: "STATE_UNUSABLE",
      message: expect.stringContaining("symbolic link"),
    });
    expect(await readFile(target, "utf8")).toBe("mine");
  });

  it("is refused when it is a directory", async () => {
    const path = await databasePath();
    await mkdir(path, { recursive: true });
    expect(await refusal(path)).toMatchObject({
      code: "STATE_UNUSABLE",
      message: expect.stringContaining("no regular file"),
    });
  });

  it("is refused with the reason when it cannot be written", async () => {
    const path = await databasePath();
    (await openPipelineStore({ path })).close();
    await chmod(path, 0o400);
    await chmod(dirname(path), 0o755);
    await chmod(dirname(dirname(path)), 0o755);
    const error = await withoutPrivileges(async () => await refusal(path));
    expect(error).toMatchObject({
      code: "STATE_UNUSABLE",
      message: expect.stringMatching(/check who owns it/),
    });
  });

  it("is refused with the reason when its directory cannot be made", async () => {
    const path = await databasePath();
    await writeFile(dirname(path), "a file");
    expect((await refusal(path)).code).toBe("STATE_UNUSABLE");
  });
});

describe("the version", () => {
  it("of a newer program is left alone", async () => {
    const path = await databasePath();
    const { database } = await openDatabase({ path });
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    database.close();
    const error = await refusal(path);
    expect(error.code).toBe("STATE_UNUSABLE");
    expect(error.message).toMatch(/^a newer caliban wrote .*; update caliban$/);
    expect(await readdir(dirname(path))).toEqual(["memories.sqlite"]);
  });

  it("is brought up to date from an empty file", async () => {
    const path = await databasePath();
    await mkdir(dirname(path));
    await writeFile(path, "");
    const store = await openStore(path);
    expect(store.admin.projects()).toEqual([]);
  });
});

describe("a damaged file", () => {
  it("is put aside, and that is said", async () => {
    const path = await databasePath();
    await mkdir(dirname(path));
    await writeFile(path, "no database ".repeat(400));
    const notices: string[] = [];
    const store = await openPipelineStore({ path, onNotice: (sentence) => notices.push(sentence) });
    register(store, [session("a")]);
    expect(store.extractions.count(query()).due).toBe(1);
    store.close();
    const aside = (await readdir(dirname(path))).filter((name) => name.includes(".damaged-"));
    const [name = ""] = aside;
    expect(aside).toEqual([name]);
    expect(await readFile(join(dirname(path), name), "utf8")).toContain("no database");
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(`${path} was damaged`);
    expect(notices[0]).toContain(join(dirname(path), name));
    const again = await openPipelineStore({ path, onNotice: (sentence) => notices.push(sentence) });
    expect(again.extractions.count(query()).due).toBe(1);
    again.close();
    expect(notices).toHaveLength(1);
  });

  it("that shows its damage late is put aside then, and the next one begins anew", async () => {
    const path = await databasePath();
    const first = await openPipelineStore({ path });
    register(first, [session("a")]);
    extract(first, "learned");
    first.close();
    const bytes = await readFile(path);
    // The first page, by which a file is known, stays whole.
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
    // Who still has the old one does not put the new one aside.
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

it("undoes a change that fails in the middle", async () => {
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
