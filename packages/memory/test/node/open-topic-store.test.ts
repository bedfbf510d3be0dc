import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, realpath, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { findWorkspace } from "../../src/node/project/workspace.ts";
import { type OpenedTopicStore, openTopicStore } from "../../src/node/open-topic-store.ts";

const TOPIC = {
  name: "a",
  description: "d",
  type: "project",
  body: "Body.",
  author: { who: "agent" },
} as const;

function git(directory: string, ...args: readonly string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", HOME: directory };
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  execFileSync("git", [...who, "-C", directory, ...args], { env, stdio: "pipe" });
}

async function repository(home: string, name: string, message: string): Promise<string> {
  const path = join(home, name);
  await mkdir(path, { recursive: true });
  git(path, "init", "-q");
  git(path, "commit", "-q", "--allow-empty", "-m", message);
  return path;
}

async function open(
  home: string,
  path: string,
  more: { readonly env?: object; readonly directory?: string; readonly forWriting?: boolean } = {},
): Promise<OpenedTopicStore> {
  const env = { HOME: home, PATH: process.env["PATH"], ...more.env };
  const workspace = await findWorkspace(path);
  const { directory, forWriting = true } = more;
  return await openTopicStore({ env, platform: "linux", home, workspace, directory, forWriting });
}

describe("openTopicStore", () => {
  it("creates nothing before the first write, and then records the project", async () => {
    const home = await temporaryDirectory();
    const app = await repository(home, "app", "one");
    git(app, "remote", "add", "origin", "https://me:secret@example.org/app.git");
    const { store, directory } = await open(home, app);
    expect(await store.read("a")).toBeUndefined();
    expect((await store.list()).topics).toEqual([]);
    expect(await readdir(home)).toEqual(["app"]);
    await store.write(TOPIC);
    const record = JSON.parse(await readFile(join(directory, "../project.json"), "utf8")) as {
      readonly rootCommits: readonly string[];
    };
    expect(record).toMatchObject({ path: app, remotes: ["https://example.org/app.git"] });
    expect(record.rootCommits).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/)]);
  });

  it("opens the same store from any directory of the workspace, with only the environment", async () => {
    const home = await temporaryDirectory();
    const app = await repository(home, "app", "one");
    await mkdir(join(app, "src"));
    const env = { HOME: home, PATH: process.env["PATH"] };
    const { store, directory } = await openTopicStore({ workspace: join(app, "src"), env });
    await store.write(TOPIC);
    expect(directory).toBe((await open(home, app)).directory);
    expect((await (await open(home, app)).store.read("a"))?.topic.body).toBe("Body.");
    const nowhere = openTopicStore({ workspace: join(app, "none"), env });
    await expect(nowhere).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
  });

  it("gives a different repository at the same path a home of its own, permanently", async () => {
    const home = await temporaryDirectory();
    const app = await repository(home, "app", "one");
    await (await open(home, app)).store.write(TOPIC);
    await rename(app, join(home, "old"));
    await repository(home, "app", "two");
    const second = await open(home, app);
    expect(await second.store.read("a")).toBeUndefined();
    await second.store.write({ ...TOPIC, body: "Another." });
    const again = await open(home, app, { forWriting: false });
    expect(again.directory).toBe(second.directory);
    expect((await again.store.read("a"))?.topic.body).toBe("Another.");
  });

  it("separates two projects that were both opened before either wrote", async () => {
    const home = await temporaryDirectory();
    const [one, two] = [await repository(home, "a/b", "1"), await repository(home, "a-b", "2")];
    const [first, second] = [await open(home, one), await open(home, two)];
    expect(second.directory).toBe(first.directory);
    await first.store.write(TOPIC);
    await expect(second.store.write(TOPIC)).rejects.toMatchObject({ code: "STORE_BUSY" });
    const again = await open(home, two);
    await again.store.write({ ...TOPIC, body: "Another." });
    expect(again.directory).not.toBe(first.directory);
    expect((await first.store.read("a"))?.topic.body).toBe("Body.");
  });

  it("keeps the home of a repository that got more commits", async () => {
    const home = await temporaryDirectory();
    const app = await repository(home, "app", "one");
    const first = await open(home, app);
    await first.store.write(TOPIC);
    git(app, "commit", "-q", "--allow-empty", "-m", "more");
    expect((await open(home, app)).directory).toBe(first.directory);
  });

  it("lets projects share a directory that the user chose, with one history", async () => {
    const home = await temporaryDirectory();
    const [one, two] = [await repository(home, "one", "1"), await repository(home, "two", "2")];
    const env = { CALIBAN_AUTO_MEMORY_DIRECTORY: join(home, "notes") };
    const [first, second] = [await open(home, one, { env }), await open(home, two, { env })];
    await first.store.write(TOPIC);
    expect(second.historyDirectory).toBe(first.historyDirectory);
    expect((await second.store.log()).length).toBe(1);
    await second.store.undo({ author: { who: "person" } });
    expect(await first.store.read("a")).toBeUndefined();
    expect(await readdir(join(home, "notes"))).toEqual(["MEMORY.md"]);
  });

  it("opens a memory directory that is a link", async () => {
    const home = await temporaryDirectory();
    const app = await repository(home, "app", "1");
    await mkdir(join(home, "real"));
    await symlink(join(home, "real"), join(home, "link"));
    const { store } = await open(home, app, { directory: join(home, "link") });
    await store.write(TOPIC);
    expect(await realpath(join(home, "link"))).toBe(join(home, "real"));
    expect((await readdir(join(home, "real"))).toSorted()).toEqual(["MEMORY.md", "a.md"]);
  });

  it("rejects a missing workspace with a clear message", async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program without types may pass
    await expect(openTopicStore({} as { workspace: string })).rejects.toMatchObject({
      code: "WORKSPACE_NOT_FOUND",
      message: expect.stringContaining("no workspace directory given"),
    });
  });

  it("throws when no home directory is known", async () => {
    const home = await temporaryDirectory();
    const workspace = await findWorkspace(home);
    const opening = openTopicStore({ env: {}, platform: "linux", home: undefined, workspace });
    await expect(opening).rejects.toMatchObject({ code: "NO_MEMORY_DIRECTORY" });
  });
});

describe("openTopicStore with the directory of Claude Code", () => {
  it("opens the directory of the main worktree from any worktree", async () => {
    const home = await realpath(await temporaryDirectory());
    const main = await repository(home, "main", "first");
    git(main, "worktree", "add", "-q", join(home, "linked"));
    const stores = await Promise.all(
      [main, join(home, "linked")].map((path) => open(home, path, { directory: "claude" })),
    );
    const name = main.replaceAll(/[^A-Za-z0-9]/g, "-");
    const expected = join(home, ".claude/projects", name, "memory");
    expect(stores.map(({ directory }) => directory)).toEqual([expected, expected]);
    await stores[1]?.store.write(TOPIC);
    expect((await stores[0]?.store.read("a"))?.topic.body).toBe("Body.");
    expect(await readdir(expected)).toEqual(["MEMORY.md", "a.md"]);
  });
});
