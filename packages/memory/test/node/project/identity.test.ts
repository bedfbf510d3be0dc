import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { type AdoptedProject, adoptMemory } from "../../../src/node/project/adopt-memory.ts";
import { type OpenedTopicStore, openTopicStore } from "../../../src/node/open-topic-store.ts";
import { findWorkspace } from "../../../src/node/project/workspace.ts";
import { loadMemory, type LoadedMemory } from "../../../src/node/prompt/load-memory.ts";

interface Machine {
  readonly home: string;
  readonly git: (directory: string, ...args: readonly string[]) => void;
  readonly load: (directory: string) => Promise<LoadedMemory>;
  readonly adopt: (directory: string) => Promise<AdoptedProject>;
  /** The name of a directory's project home. */
  readonly nameOf: (directory: string) => Promise<string>;
}

async function machine(): Promise<Machine> {
  const home = await temporaryDirectory();
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const environment = { env, platform: "linux", home };
  const load = async (directory: string): Promise<LoadedMemory> =>
    await loadMemory({ ...environment, directory: join(home, directory) });
  return {
    home,
    load,
    adopt: async (directory) =>
      await adoptMemory({ ...environment, workspace: await findWorkspace(join(home, directory)) }),
    git: (directory, ...args) => {
      const identity = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b.c",
        "-c",
        "init.defaultBranch=main",
      ];
      execFileSync("git", [...identity, "-C", join(home, directory), ...args], {
        env: { ...process.env, ...env },
        stdio: "pipe",
      });
    },
    nameOf: async (directory) => {
      const { receipt } = await load(directory);
      const index = receipt.entries.find(({ kind }) => kind === "index")?.path ?? "";
      return index
        .replace(`${home}/.local/share/caliban/projects/`, "")
        .replace("/memory/MEMORY.md", "");
    },
  };
}

const slugOf = (path: string): string => path.slice(1).replaceAll("/", "-");

async function repository(at: Machine, name: string): Promise<void> {
  await mkdir(join(at.home, name), { recursive: true });
  at.git(name, "init", "-q");
  await writeFile(join(at.home, name, "a"), name);
  at.git(name, "add", "a");
  at.git(name, "commit", "-qm", "a");
}

describe("worktrees", () => {
  it("shares one memory between the worktrees of a repository", async () => {
    const at = await machine();
    await repository(at, "app");
    at.git("app", "worktree", "add", "-q", "../feature");
    await mkdir(join(at.home, "feature/src"));
    const name = slugOf(join(at.home, "app"));
    expect(await at.nameOf("app")).toBe(name);
    expect(await at.nameOf("feature")).toBe(name);
    expect(await at.nameOf("feature/src")).toBe(name);
  });

  it("shares the memory of a bare repository between its worktrees", async () => {
    const at = await machine();
    await repository(at, "app");
    at.git(".", "clone", "-q", "--bare", "app", "bare.git");
    at.git("bare.git", "worktree", "add", "-q", "../one");
    at.git("bare.git", "worktree", "add", "-q", "-b", "x", "../two");
    expect(await at.nameOf("one")).toBe(slugOf(join(at.home, "bare.git")));
    expect(await at.nameOf("two")).toBe(await at.nameOf("one"));
  });

  it("shares no memory with a forged worktree, and reports it", async () => {
    const at = await machine();
    await repository(at, "app");
    at.git("app", "worktree", "add", "-q", "../feature");
    const pointer = await readFile(join(at.home, "feature/.git"), "utf8");
    await writeFiles(at.home, {
      "evil/.git": pointer,
      "worse/.git": `gitdir: ${join(at.home, "app/.git")}\n`,
    });
    expect(await at.nameOf("evil")).toBe(slugOf(join(at.home, "evil")));
    expect(await at.nameOf("worse")).toBe(slugOf(join(at.home, "worse")));
    expect((await at.load("evil")).receipt.notices).toEqual([
      expect.objectContaining({ code: "WORKTREE_UNPROVEN" }),
    ]);
  });

  it("treats a submodule as a project of its own", async () => {
    const at = await machine();
    await repository(at, "lib");
    await repository(at, "app");
    at.git("app", "-c", "protocol.file.allow=always", "submodule", "add", "-q", "../lib", "lib");
    expect(await at.nameOf("app/lib")).toBe(slugOf(join(at.home, "app/lib")));
    expect((await at.load("app/lib")).receipt.notices).toEqual([]);
  });
});

describe("two projects with the same slug", () => {
  it("gives two projects with the same slug different names, permanently", async () => {
    const at = await machine();
    await writeFiles(at.home, { "a/b/x": "", "a-b/x": "" });
    const name = slugOf(join(at.home, "a/b"));
    const projects = join(at.home, ".local/share/caliban/projects");
    const record = JSON.stringify({ path: join(at.home, "a/b"), rootCommits: [], remotes: [] });
    await writeFiles(projects, { [`${name}/project.json`]: record });
    expect(await at.nameOf("a/b")).toBe(name);
    const other = await at.nameOf("a-b");
    expect(other).toMatch(new RegExp(`^${name}-[0-9a-f]{8}$`));

    await writeFiles(projects, { [`${other}/memory/MEMORY.md`]: "# notes\n" });
    await rename(join(projects, name), join(at.home, "gone"));
    expect(await at.nameOf("a-b")).toBe(other);
  });
});

describe("a path that another repository had before", () => {
  /** A repository with a topic, replaced by another one at the same path. */
  async function reused(remotes: readonly [string, string] | undefined): Promise<Machine> {
    const at = await machine();
    await create(at, "first");
    if (remotes !== undefined) at.git("app", "remote", "add", "origin", remotes[0]);
    await write(at, "first");
    await rename(join(at.home, "app"), join(at.home, "backup"));
    await create(at, "second");
    if (remotes !== undefined) at.git("app", "remote", "add", "origin", remotes[1]);
    return at;
  }

  async function create(at: Machine, message: string): Promise<void> {
    await mkdir(join(at.home, "app"));
    at.git("app", "init", "-q");
    at.git("app", "commit", "-q", "--allow-empty", "-m", message);
  }

  async function write({ home }: Machine, name: string): Promise<void> {
    const { store } = await topics(home, { forWriting: true });
    const topic = { name, description: name, type: "project", body: name } as const;
    await store.write({ ...topic, author: { who: "agent" } });
  }

  async function topics(
    home: string,
    access: { readonly forWriting?: boolean } = {},
  ): Promise<OpenedTopicStore> {
    const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
    return await openTopicStore({ workspace: join(home, "app"), env, ...access });
  }

  it.for([undefined, ["https://example.com/a.git", "https://example.com/b.git"]] as const)(
    "shows nothing of the earlier repository before anything is written, with the remotes %j",
    async (remotes) => {
      const at = await reused(remotes);
      const { prefix, receipt } = await at.load("app");
      expect(prefix).not.toContain("first");
      expect(receipt.notices).toEqual([expect.objectContaining({ code: "OTHER_REPOSITORY" })]);
      expect((await (await topics(at.home)).store.list()).topics).toEqual([]);
    },
  );

  it("gives each repository its own memory back when they take turns", async () => {
    const at = await reused(undefined);
    await write(at, "second");
    expect((await at.load("app")).prefix).toContain("second");
    await rename(join(at.home, "app"), join(at.home, "second"));
    await rename(join(at.home, "backup"), join(at.home, "app"));
    const { prefix } = await at.load("app");
    expect(prefix).toContain("first");
    expect(prefix).not.toContain("second");
  });

  it("keeps the recorded remotes current, by which it recognizes a repository without git", async () => {
    const at = await reused(undefined);
    await write(at, "second");
    at.git("app", "remote", "add", "origin", "https://me:secret@example.com/c.git");
    await write(at, "third");
    const { projectPath, historyDirectory } = await topics(at.home);
    const record = await readFile(join(dirname(historyDirectory), "project.json"), "utf8");
    expect(JSON.parse(record)).toMatchObject({
      path: projectPath,
      remotes: ["https://example.com/c.git"],
    });
  });
});

describe("a moved repository", () => {
  async function moved(): Promise<Machine> {
    const at = await machine();
    await repository(at, "old");
    at.git("old", "remote", "add", "origin", "https://me:secret@example.com/a.git");
    const rootCommit = execFileSync(
      "git",
      ["-C", join(at.home, "old"), "rev-list", "--max-parents=0", "HEAD"],
      { encoding: "utf8" },
    ).trim();
    const home = `.local/share/caliban/projects/${slugOf(join(at.home, "old"))}`;
    await writeFiles(at.home, {
      [`${home}/project.json`]: JSON.stringify({
        path: join(at.home, "old"),
        rootCommits: [rootCommit],
        remotes: ["https://example.com/a.git"],
      }),
      [`${home}/memory/MEMORY.md`]: "# old notes\n",
    });
    await rename(join(at.home, "old"), join(at.home, "new"));
    return at;
  }

  it("recognizes a moved repository and adopts its memory on request", async () => {
    const at = await moved();
    const before = await at.load("new");
    expect(before.prefix).not.toContain("old notes");
    expect(before.receipt.notices).toEqual([
      expect.objectContaining({
        code: "MOVED_REPOSITORY",
        message: expect.stringContaining(join(at.home, "old")),
      }),
    ]);
    const workspaceRoot = join(at.home, "new");
    expect(await at.adopt("new")).toEqual({
      from: join(at.home, "old"),
      to: workspaceRoot,
    });
    const after = await at.load("new");
    expect(after.prefix).toContain("old notes");
    expect(after.receipt.notices).toEqual([]);
    const record = await readFile(
      join(at.home, ".local/share/caliban/projects", slugOf(workspaceRoot), "project.json"),
      "utf8",
    );
    expect(JSON.parse(record)).toMatchObject({ path: workspaceRoot });
    expect(record).not.toContain("secret");
  });

  it("runs no command that a repository configures", async () => {
    const at = await moved();
    await repository(at, "evil");
    const script = join(at.home, "pwn.sh");
    await writeFile(script, `#!/bin/sh\ntouch "${at.home}/PWNED"\n`, { mode: 0o755 });
    for (const [key, value] of [
      ["core.repositoryformatversion", "1"],
      ["extensions.partialClone", "origin"],
      ["remote.origin.promisor", "true"],
      ["remote.origin.url", "ssh://x/y"],
      ["remote.origin.uploadpack", `${script};`],
      ["core.sshCommand", script],
      ["core.fsmonitor", script],
      ["remote.other.url", "https://example.com/a.git"],
    ] as const) {
      at.git("evil", "config", key, value);
    }
    await writeFile(join(at.home, "evil/.git/refs/heads/main"), `${"1234567890".repeat(4)}\n`);
    await at.load("evil");
    expect(await readdir(at.home)).not.toContain("PWNED");
  });

  it("adopts neither the memory of another repository nor over existing memory", async () => {
    const at = await moved();
    await repository(at, "other");
    expect((await at.load("other")).receipt.notices).toEqual([]);
    await expect(at.adopt("other")).rejects.toMatchObject({ code: "NOTHING_TO_ADOPT" });
    const own = join(
      at.home,
      ".local/share/caliban/projects",
      slugOf(join(at.home, "new")),
      "memory",
    );
    await writeFiles(own, { "MEMORY.md": "# own\n" });
    await expect(at.adopt("new")).rejects.toThrow("already has memory");
    expect(await readdir(dirname(dirname(own)))).toHaveLength(2);
  });

  it("adopts memory after a conversation, which is kept", async () => {
    const at = await moved();
    const projects = join(at.home, ".local/share/caliban/projects");
    const own = join(projects, slugOf(join(at.home, "new")));
    const record = { path: join(at.home, "new"), rootCommits: [], remotes: [] };
    await writeFiles(own, { "project.json": JSON.stringify(record), "sessions/a.jsonl": "{}\n" });
    const { notices } = (await at.load("new")).receipt;
    expect(notices.map(({ code }) => code)).toEqual(["MOVED_REPOSITORY"]);
    await at.adopt("new");
    expect((await at.load("new")).prefix).toContain("old notes");
    expect(await readFile(join(own, "sessions/a.jsonl"), "utf8")).toBe("{}\n");
    expect(await readdir(projects)).toHaveLength(1);
  });

  it("adopts memory after a crash in the middle of adopting", async () => {
    const at = await moved();
    const projects = join(at.home, ".local/share/caliban/projects");
    await rename(
      join(projects, slugOf(join(at.home, "old"))),
      join(projects, slugOf(join(at.home, "new"))),
    );
    await at.adopt("new");
    expect((await at.load("new")).prefix).toContain("old notes");
  });
});
