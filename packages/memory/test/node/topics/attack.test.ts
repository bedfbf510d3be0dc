import { execFileSync } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FOREIGN_LOCKS, HOSTILE_HEADERS } from "../../../../../test/attack/damaged-files.ts";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import type { FsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import { parseIndexLines } from "../../../src/index-file/index-lines.ts";
import { MemoryError } from "../../../src/errors.ts";
import { type StoreHome, storeHome } from "./store-home.ts";
import { topic } from "./topic-input.ts";

const author = { who: "person" } as const;
const refused = { code: "REFUSED_FILE" };
const SECRET = "no one may touch this\n";

const slugsIn = (index: string): readonly string[] =>
  parseIndexLines(index).map(({ slug }) => slug);

/** Every operation that writes a topic. */
const WRITES: Readonly<Record<string, (store: FsTopicStore, name: string) => Promise<unknown>>> = {
  write: async (store, name) => await store.write(topic(name)),
  replace: async (store, name) => await store.write({ ...topic(name), replace: true }),
  "write with a hash": async (store, name) =>
    await store.write({ ...topic(name), ifMatch: "000000000000" }),
  remove: async (store, name) => await store.remove({ name, author }),
  rename: async (store, name) => await store.rename({ from: name, to: "elsewhere", author }),
  "rename onto it": async (store, name) => await store.rename({ from: "known", to: name, author }),
  edit: async (store, name) =>
    await store.edit({
      name,
      text: "---\nname: x\ndescription: x\ntype: user\n---\n\nText.\n",
      ifMatch: "000000000000",
      author,
    }),
  import: async (store, name) => {
    const { topics } = await store.importTopics({ files: [{ name, text: "Text.\n" }], author });
    // A refused file does not keep the others from being imported.
    for (const each of topics) {
      if (each.kind === "refused") throw new MemoryError("REFUSED_FILE", each.message);
    }
  },
};

/** A store with a topic, and a file outside of it. */
async function storeWithTarget(): Promise<{ readonly home: StoreHome; readonly target: string }> {
  const home = await storeHome();
  await home.open().write(topic("known"));
  const target = join(home.directory, "..", "target");
  await writeFile(target, SECRET);
  return { home, target };
}

async function expectUntouched(home: StoreHome, target: string): Promise<void> {
  expect(await readFile(target, "utf8")).toBe(SECRET);
  expect((await home.open().list()).topics.map(({ slug }) => slug)).toEqual(["known"]);
  expect((await home.open().read("known"))?.topic.body).toBe("About known.");
}

describe("a link with the name of a topic", () => {
  it.for(Object.entries(WRITES))(
    "refuses to follow a link for %s, and keeps its target",
    async ([, act]) => {
      for (const to of ["file", "nothing"]) {
        const { home, target } = await storeWithTarget();
        const path = join(home.directory, "evil.md");
        await symlink(to === "file" ? target : join(home.directory, "..", "nothing"), path);
        const store = home.open();
        const before = await home.text("MEMORY.md");
        await expect(act(store, "evil")).rejects.toMatchObject(refused);
        expect((await lstat(path)).isSymbolicLink()).toBe(true);
        await expectUntouched(home, target);
        expect(await home.text("MEMORY.md")).toBe(before);
        expect(await readdir(join(home.directory, ".."))).not.toContain("nothing");
      }
    },
  );

  it("reports a link in the list instead of reading it", async () => {
    const { home, target } = await storeWithTarget();
    await symlink(target, join(home.directory, "evil.md"));
    const store = home.open();
    await expect(store.read("evil")).rejects.toMatchObject(refused);
    await expect(store.read("evil")).rejects.toThrow("evil.md: it is a symbolic link");
    const { topics, problems } = await store.list();
    expect(topics.map(({ slug }) => slug)).toEqual(["known"]);
    expect(problems).toEqual([
      {
        slug: "evil",
        code: "UNREADABLE",
        message: "cannot read evil.md: it is a symbolic link; fix it or move it away",
      },
    ]);
    expect(await store.index()).not.toContain("evil");
    await store.write(topic("other", "See [[known]]."));
    await store.rename({ from: "known", to: "renamed", author });
    await store.rebuildIndex();
    expect(slugsIn(await home.text("MEMORY.md"))).toEqual(["other", "renamed"]);
    expect(await readFile(target, "utf8")).toBe(SECRET);
  });
});

describe("a link with the name of a file that a write needs", () => {
  it.for([
    ["MEMORY.md", "new"],
    ["MEMORY.md.tmp", "new"],
    ["MEMORY.md.old.tmp", "new"],
    ["new.md.tmp", "new"],
    ["new.md.old.tmp", "new"],
    ["known.md.tmp", "known"],
    ["known.md.old.tmp", "known"],
    [".lock", "new"],
  ] as const)("refuses the link %s, and keeps its target", async ([name, slug]) => {
    for (const to of ["file", "nothing"]) {
      const { home, target } = await storeWithTarget();
      const path = join(home.directory, name);
      await rm(path, { force: true });
      const nothing = join(home.directory, "..", "nothing");
      await symlink(to === "file" ? target : nothing, path);
      const store = home.open();
      const write = store.write({
        ...topic(slug, "Changed."),
        description: "changed",
        replace: true,
      });
      await expect(write).rejects.toMatchObject(refused);
      await expect(write).rejects.toThrow(`${name}: it is a symbolic link`);
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      await expectUntouched(home, target);
      expect(await readdir(join(home.directory, ".."))).not.toContain("nothing");
      // The attempt left no trace.
      expect((await store.log()).length).toBe(1);
      await rm(path);
      expect((await store.write(topic("later"))).kind).toBe("written");
    }
  });

  it("neither reads nor replaces an index that is a link", async () => {
    const { home, target } = await storeWithTarget();
    await rm(join(home.directory, "MEMORY.md"));
    await symlink(target, join(home.directory, "MEMORY.md"));
    const store = home.open();
    await store.bootstrap();
    await expect(store.index()).rejects.toMatchObject(refused);
    await expect(store.rebuildIndex()).rejects.toMatchObject(refused);
    await expectUntouched(home, target);
  });
});

describe("the directory of a store", () => {
  const everything: Readonly<Record<string, (store: FsTopicStore) => Promise<unknown>>> = {
    ...Object.fromEntries(
      Object.entries(WRITES).map(([name, act]) => [
        name,
        (store: FsTopicStore): Promise<unknown> => act(store, "known"),
      ]),
    ),
    list: async (store) => await store.list(),
    read: async (store) => await store.read("known"),
    index: async (store) => await store.index(),
    "rebuild the index": async (store) => await store.rebuildIndex(),
    bootstrap: async (store) => await store.bootstrap(),
    undo: async (store) => await store.undo({ author }),
    erase: async (store) => await store.erase("known"),
  };

  it.for(Object.entries(everything))(
    "refuses to %s after the directory was replaced by a link",
    async ([, act]) => {
      const home = await storeHome();
      const store = home.open();
      await store.write(topic("known"));
      const [moved, bait] = [`${home.directory}-moved`, `${home.directory}-bait`];
      await rename(home.directory, moved);
      await writeFiles(bait, { "known.md": SECRET });
      await symlink(bait, home.directory);
      await expect(act(store)).rejects.toMatchObject(refused);
      expect(await readdir(bait)).toEqual(["known.md"]);
      expect(await readFile(join(bait, "known.md"), "utf8")).toBe(SECRET);
      expect((await readdir(moved)).toSorted()).toEqual(["MEMORY.md", "known.md"]);
    },
  );

  it("accepts a directory that was a link from the start", async () => {
    const home = await storeHome();
    const real = `${home.directory}-real`;
    await mkdir(real);
    await symlink(real, home.directory);
    const store = home.open();
    await store.bootstrap();
    await store.write(topic("a"));
    await store.write(topic("b"));
    await store.undo({ author });
    expect((await store.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
    expect((await lstat(home.directory)).isSymbolicLink()).toBe(true);
    expect((await readdir(real)).toSorted()).toEqual(["MEMORY.md", "a.md"]);
    const other = `${home.directory}-other`;
    await mkdir(other);
    await rm(home.directory);
    await symlink(other, home.directory);
    await expect(store.write(topic("c"))).rejects.toMatchObject(refused);
    expect(await readdir(other)).toEqual([]);
  });

  it("reports a directory that is a file or a dangling link", async () => {
    for (const kind of ["file", "link"]) {
      const home = await storeHome();
      if (kind === "file") await writeFile(home.directory, SECRET);
      else await symlink(join(home.directory, "..", "nothing"), home.directory);
      const store = home.open();
      await expect(store.write(topic("a"))).rejects.toMatchObject({
        name: "MemoryError",
        code: expect.stringMatching(/^(?:UNWRITABLE|REFUSED_FILE)$/),
      });
      const listed = await store.list().catch((error: unknown) => error);
      expect(listed).toMatchObject(kind === "file" ? refused : { topics: [], problems: [] });
      expect(await readdir(join(home.directory, ".."))).toEqual(["memory"]);
    }
  });

  it("creates the directory again after it was removed", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a"));
    await rm(home.directory, { recursive: true });
    expect(await store.list()).toEqual({ topics: [], problems: [] });
    expect(await store.read("a")).toBeUndefined();
    expect((await store.remove({ name: "a", author })).kind).toBe("missing");
    expect((await store.write(topic("b"))).kind).toBe("written");
    expect(await home.names()).toEqual(["MEMORY.md", "b.md"]);
  });

  it("reads a directory that it may not write to", async () => {
    const home = await storeHome();
    await home.open().write(topic("a"));
    await chmod(join(home.directory, ".."), 0o755);
    await chmod(home.directory, 0o555);
    await chmod(join(home.directory, "a.md"), 0o644);
    await chmod(join(home.directory, "MEMORY.md"), 0o644);
    const before = await home.names();
    await withoutPrivileges(async () => {
      const store = home.open();
      expect((await store.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
      expect((await store.read("a"))?.topic.body).toBe("About a.");
      await expect(WRITES["write"]?.(store, "b")).rejects.toMatchObject({ code: "UNWRITABLE" });
      await expect(WRITES["remove"]?.(store, "a")).rejects.toMatchObject({ code: "UNWRITABLE" });
    });
    expect(await home.names()).toEqual(before);
    await chmod(home.directory, 0o311);
    await withoutPrivileges(async () => {
      const store = home.open();
      await expect(store.list()).rejects.toMatchObject(refused);
      await expect(store.list()).rejects.toThrow("cannot be listed (EACCES)");
      expect((await store.read("a"))?.topic.body).toBe("About a.");
    });
    await chmod(home.directory, 0o700);
  });
});

describe("something other than a file with the name of a topic", () => {
  it.for(["a directory", "a named pipe"])("refuses a topic that is %s", async (kind) => {
    const home = await storeHome();
    await home.open().write(topic("known"));
    const path = join(home.directory, "evil.md");
    if (kind === "a directory") await mkdir(path);
    else execFileSync("mkfifo", [path]);
    const store = home.open();
    for (const act of Object.values(WRITES)) {
      await expect(act(store, "evil")).rejects.toMatchObject(refused);
    }
    await expect(store.read("evil")).rejects.toMatchObject(refused);
    expect(await store.list()).toMatchObject({
      topics: [{ slug: "known" }],
      problems: [
        {
          slug: "evil",
          message: "cannot read evil.md: it is not a regular file; fix it or move it away",
        },
      ],
    });
    await store.write(topic("other"));
    await store.rename({ from: "known", to: "renamed", author });
    expect(slugsIn(await store.index())).toEqual(["other", "renamed"]);
    const there = await lstat(path);
    expect(there.isDirectory() || there.isFIFO()).toBe(true);
  });

  it.for([".lock", "new.md.tmp", "MEMORY.md"])("refuses the directory %s", async (name) => {
    const home = await storeHome();
    await home.open().write(topic("known"));
    await rm(join(home.directory, name), { force: true });
    await mkdir(join(home.directory, name));
    await expect(home.open().write(topic("new"))).rejects.toMatchObject(refused);
    expect((await home.open().list()).topics.map(({ slug }) => slug)).toEqual(["known"]);
  });
});

describe("a file that cannot be written back unchanged", () => {
  it.for([
    [
      "bytes that are no UTF-8",
      Buffer.from([0x61, 0xff, 0xfe, 0x0a]),
      "not valid UTF-8 at line 1, column 2",
    ],
    ["more than is read", Buffer.alloc(400_000, "x\n"), "it has 400000 bytes"],
  ] as const)("refuses a file with %s, and keeps it", async ([, bytes, why]) => {
    const home = await storeHome();
    await home.open().write(topic("known"));
    const path = join(home.directory, "odd.md");
    await writeFile(path, bytes);
    const store = home.open();
    for (const act of Object.values(WRITES)) {
      await expect(act(store, "odd")).rejects.toMatchObject(refused);
    }
    await expect(store.read("odd")).rejects.toThrow(why);
    await store.write(topic("other", "See [[odd]]."));
    await store.rename({ from: "known", to: "renamed", author });
    await store.rebuildIndex();
    expect((await readFile(path)).equals(bytes)).toBe(true);
    const { topics } = await store.list();
    expect(topics.map(({ slug }) => slug).toSorted()).toEqual(["odd", "other", "renamed"]);
  });

  it("never makes a topic unreadable by updating its links", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a", "[[a]] ".repeat(40_000)));
    await store.write(topic("b", "[[a]] ".repeat(40_000)));
    const to = "x".repeat(100);
    expect(await store.rename({ from: "a", to, author })).toMatchObject({
      kind: "renamed",
      relinked: [],
    });
    expect((await store.read(to))?.topic).toMatchObject({ name: to, problems: [] });
    expect((await store.read("b"))?.topic.body).toMatch(/^\[\[a\]\] /);
  });
});

describe("changes by hand", () => {
  it("never overwrites a change by hand that the writer has not seen", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a", "Old."));
    const seen = await store.read("a");
    const text = (seen?.text ?? "").replace("Old.", "By hand.");
    await writeFile(join(home.directory, "a.md"), text);
    const late = { ...topic("a", "Mine."), ifMatch: seen?.hash };
    const conflict = await store.write(late);
    expect(conflict).toMatchObject({ kind: "conflict", reason: "changed", current: { text } });
    expect(await store.remove({ name: "a", ifMatch: seen?.hash, author })).toMatchObject({
      kind: "conflict",
    });
    expect(await home.text("a.md")).toBe(text);
    const hash = (await store.read("a"))?.hash;
    expect((await store.write({ ...late, ifMatch: hash })).kind).toBe("written");
    expect((await store.log("a"))[0]?.files[0]?.before).toBe(text);
  });

  it("writes to an index with CRLF and a byte order mark", async () => {
    const header = "# mine\r\nname: a\r\ndescription: old\r\nowner: Ann\r\ntype: user";
    const before = `\uFEFF---\r\n${header}\r\n---\r\n\r\nOld.\r\n`;
    const home = await storeHome({ "a.md": before, "b.md": "See [[a]].\r\n" });
    const store = home.open();
    const { hash, topic: parsed } = (await store.read("a")) ?? {};
    expect(parsed).toMatchObject({ description: "old", type: "user", body: "Old.", problems: [] });
    expect((await store.write({ ...topic("a", "New."), ifMatch: hash })).kind).toBe("written");
    const text = await home.text("a.md");
    expect(text).toMatch(/^---\n# mine\nname: a\ndescription: what a is\nowner: Ann\n/);
    expect(text).not.toContain("\r");
    await store.rename({ from: "a", to: "c", author });
    expect(await home.text("b.md")).toBe("See [[c]].\r\n");
  });

  it.for([
    ["deleted", async (path: string) => await rm(path)],
    ["emptied", async (path: string) => await writeFile(path, "")],
    ["blanked", async (path: string) => await writeFile(path, "\n \n")],
  ] as const)(
    "restores every line with the next write after the index was %s",
    async ([, spoil]) => {
      const home = await storeHome();
      const store = home.open();
      await store.write(topic("a"));
      await store.write(topic("B"));
      await spoil(join(home.directory, "MEMORY.md"));
      expect(slugsIn(await store.index())).toEqual(["B", "a"]);
      // It is the same topic even without an index line.
      expect((await store.write(topic("b"))).kind).toBe("conflict");
      await store.write(topic("c"));
      const index = await home.text("MEMORY.md");
      expect(slugsIn(index)).toEqual(["c", "B", "a"]);
      expect(index).toContain("# Memory index");
    },
  );

  it.for(["con", "nul", "COM1", "aux.txt", "a:b", "50% off", "-a", "a.", "notes.md", "<x>"])(
    "reads, changes and removes a file named %s, but does not create one",
    async (name) => {
      const home = await storeHome({ [`${name}.md`]: "By hand.\n" });
      const store = home.open();
      const hash = (await store.read(name))?.hash;
      expect(slugsIn(await store.index())).toEqual([name]);
      expect(await store.write({ ...topic("x"), name, ifMatch: hash })).toMatchObject({
        kind: "written",
        isNew: false,
      });
      expect(slugsIn(await home.text("MEMORY.md"))).toEqual([name]);
      expect((await store.remove({ name, author })).kind).toBe("removed");
      expect(slugsIn(await home.text("MEMORY.md"))).toEqual([]);
      await expect(store.write({ ...topic("x"), name, replace: true })).rejects.toMatchObject({
        code: "INVALID_SLUG",
      });
      await store.undo({ author });
      expect((await store.rename({ from: name, to: "better", author })).kind).toBe("renamed");
      expect(await home.names()).toEqual(["MEMORY.md", "better.md"]);
    },
  );

  it("keeps a line for each of two files that differ only in case", async () => {
    const file = (name: string): string =>
      `---\nname: ${name}\ndescription: the ${name} one\ntype: user\n---\n\n${name}\n`;
    const home = await storeHome({ "Foo.md": file("Foo"), "foo.md": file("foo") });
    const store = home.open();
    await store.write(topic("other"));
    for (const name of ["foo", "Foo"]) {
      const hash = (await store.read(name))?.hash;
      await store.write({ ...topic(name, "New."), ifMatch: hash });
    }
    await store.rebuildIndex();
    expect((await store.rebuildIndex()).isChanged).toBe(false);
    expect(slugsIn(await home.text("MEMORY.md")).toSorted()).toEqual(["Foo", "foo", "other"]);
    await store.remove({ name: "Foo", author });
    expect(slugsIn(await home.text("MEMORY.md")).toSorted()).toEqual(["foo", "other"]);
  });

  it("never writes through a hard link to a file elsewhere", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a", "Old."));
    const elsewhere = join(home.directory, "..", "elsewhere");
    await link(join(home.directory, "a.md"), elsewhere);
    await store.write({ ...topic("a", "New."), replace: true });
    expect(await readFile(elsewhere, "utf8")).toContain("Old.");
  });
});

describe("hostile files", () => {
  it.for(Object.entries(HOSTILE_HEADERS))(
    "lists the other topics next to a file with %s",
    async ([, header]) => {
      const home = await storeHome({ "evil.md": `---\n${header}\n---\n\nBody.\n` });
      const store = home.open();
      await store.write(topic("known"));
      expect((await store.list()).topics.map(({ slug }) => slug).toSorted()).toEqual([
        "evil",
        "known",
      ]);
      expect(slugsIn(await store.index())).toEqual(["known", "evil"]);
      await store.rebuildIndex();
      expect((await store.rebuildIndex()).isChanged).toBe(false);
      const hash = (await store.read("evil"))?.hash;
      expect((await store.write({ ...topic("evil", "Tamed."), ifMatch: hash })).kind).toBe(
        "written",
      );
      expect((await store.read("evil"))?.topic).toMatchObject({
        description: "what evil is",
        body: "Tamed.",
        problems: [],
      });
      expect(slugsIn(await home.text("MEMORY.md"))).toEqual(["known", "evil"]);
    },
  );

  it("lists a file with a long header with the same values as read shows", async () => {
    const header = `x: ${"日".repeat(16_000)}\ndescription: at the end\ntype: user`;
    const home = await storeHome({ "long.md": `---\n${header}\n---\n\nBody.\n` });
    const store = home.open();
    const { topics } = await store.list();
    expect(topics).toMatchObject([{ slug: "long", description: "at the end", problems: [] }]);
    expect(await store.index()).toContain("- [long](long.md) — user: at the end");
    const hash = (await store.read("long"))?.hash;
    const body = "x".repeat(262_144);
    await store.write({ ...topic("long", body), ifMatch: hash });
    expect((await store.read("long"))?.topic.body).toBe(body);
  });
});

describe("a foreign lock file", () => {
  it.for(FOREIGN_LOCKS)(
    "waits for a recent foreign lock, then takes it over (%#)",
    async (content) => {
      const home = await storeHome();
      await home.open().write(topic("a"));
      const path = join(home.directory, ".lock");
      await writeFile(path, content);
      const hasty = home.open({ lockTiming: { timeoutMs: 30, pollMs: 5 } });
      await expect(hasty.write(topic("b"))).rejects.toMatchObject({ code: "STORE_BUSY" });
      expect(await readFile(path, "utf8")).toBe(content);
      expect((await hasty.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
      const longAgo = new Date(Date.now() - 60_000);
      await utimes(path, longAgo, longAgo);
      const patient = home.open({ lockTiming: { staleAfterMs: 100, pollMs: 5 } });
      expect((await patient.write(topic("b"))).kind).toBe("written");
      expect(await home.names()).toEqual(["MEMORY.md", "a.md", "b.md"]);
      expect(await readdir(join(home.directory, ".."))).toEqual(["history", "memory"]);
    },
  );
});

describe("simultaneous writes", () => {
  it("lets one of many writers create a topic and reports a conflict to the others", async () => {
    const home = await storeHome();
    const store = home.open();
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, at) => store.write(topic("same", `Writer ${at}.`))),
    );
    const written = results.filter(({ kind }) => kind === "written");
    const conflicts = results.filter((result) => result.kind === "conflict");
    expect([written.length, conflicts.length]).toEqual([1, 15]);
    const body = (await store.read("same"))?.topic.body;
    expect(new Set(conflicts.map(({ current }) => current.topic.body))).toEqual(new Set([body]));
    expect(slugsIn(await home.text("MEMORY.md"))).toEqual(["same"]);
    expect((await store.log()).length).toBe(1);
  });

  it("runs the writes of one process in the order of the calls", async () => {
    const home = await storeHome();
    const store = home.open();
    const names = Array.from({ length: 8 }, (_, at) => `t${at}`);
    await Promise.all(names.map((name) => store.write(topic(name))));
    expect(slugsIn(await home.text("MEMORY.md"))).toEqual(names.toReversed());
    const log = await store.log();
    expect(log.map(({ files }) => files[0]?.slug)).toEqual(names.toReversed());
  });

  it("keeps every index line correct during simultaneous writes, renames and removals", async () => {
    const home = await storeHome();
    const [one, other] = [home.open(), home.open()];
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const store = at % 2 === 0 ? one : other;
        await store.write(topic(`t${at}`, "See [[t0]]."));
        if (at === 1) await store.remove({ name: "t1", author });
      }),
    );
    await Promise.all([
      one.rename({ from: "t0", to: "zero", author }),
      other.remove({ name: "t2", author }),
    ]);
    const expected = ["t3", "t4", "t5", "t6", "t7", "zero"];
    expect(slugsIn(await home.text("MEMORY.md")).toSorted()).toEqual(expected);
    expect((await home.names()).toSorted()).toEqual(
      ["MEMORY.md", ...expected.map((slug) => `${slug}.md`)].toSorted(),
    );
    expect(await home.text("t3.md")).toContain("[[zero]]");
  });
});

describe("a rename that changes only the case", () => {
  it("keeps the topic and its position in the index, and removes the old name first", async () => {
    const home = await storeHome();
    const store = home.open();
    for (const name of ["last", "foo", "first"]) await store.write(topic(name, "See [[foo]]."));
    expect(await store.rename({ from: "foo", to: "Foo", author })).toMatchObject({
      kind: "renamed",
      slug: "Foo",
    });
    expect(slugsIn(await home.text("MEMORY.md"))).toEqual(["first", "Foo", "last"]);
    expect((await store.read("Foo"))?.topic).toMatchObject({ name: "Foo", body: "See [[Foo]]." });
    expect(await home.names()).toEqual(["Foo.md", "MEMORY.md", "first.md", "last.md"]);
    const [{ files } = { files: [] }] = await store.log();
    // If both names are one file, the other order would remove the new text.
    expect(files.slice(0, 2).map(({ slug, after }) => [slug, after === null])).toEqual([
      ["foo", true],
      ["Foo", false],
    ]);
  });
});

describe("files of crashed writers", () => {
  it("removes or restores the files of crashed writers with the first write, and nothing else", async () => {
    const home = await storeHome({
      "a.md": "Mine.\n",
      "b.md.tmp": "left",
      "c.md.old.tmp": "left",
      "MEMORY.md.tmp": "left",
      "notes.txt": "mine",
      "x.tmp": "mine",
      ".hidden.md.tmp": "mine",
    });
    await home.open().write(topic("new"));
    expect(await home.names()).toEqual(
      [".hidden.md.tmp", "MEMORY.md", "a.md", "c.md", "new.md", "notes.txt", "x.tmp"].toSorted(),
    );
    expect(await home.text("c.md")).toBe("left");
  });
});
