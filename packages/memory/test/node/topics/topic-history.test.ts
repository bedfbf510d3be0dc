import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import { hasUnfinishedChange } from "../../../src/node/topics/history/history-tail.ts";
import {
  type Change,
  type FileChange,
  renderChange,
  renderDoneMark,
} from "../../../src/history/change.ts";
import { parseTopicSlug } from "../../../src/topics/slug.ts";
import { type StoreHome, storeHome } from "./store-home.ts";
import { topic } from "./topic-input.ts";

const author = { who: "person" } as const;

const fileOf = (home: StoreHome): string => join(home.historyDirectory, "changes.jsonl");
const bytesOf = async (home: StoreHome): Promise<string> => await readFile(fileOf(home), "utf8");

async function writeHistory(home: StoreHome, text: string): Promise<void> {
  await mkdir(home.historyDirectory, { recursive: true });
  await writeFile(fileOf(home), text);
}

/** The id of a change that must exist. */
async function changeOf(made: Promise<{ readonly kind: string }>): Promise<string> {
  const result = await made;
  if (!("change" in result) || typeof result.change !== "string") {
    throw new Error(`nothing was changed: ${result.kind}`);
  }
  return result.change;
}

const actions = async (store: FsTopicStore, name?: string): Promise<readonly string[]> =>
  (await store.log(name)).map(({ action, files }) => `${action} ${files[0]?.slug}`);

describe("log", () => {
  it("lists every change, newest first, with author, time and texts", async () => {
    const home = await storeHome();
    let nowMs = Date.parse("2026-11-16T00:00:00Z");
    const store = home.open({ now: () => (nowMs += 1000) });
    const session = { who: "agent", session: "s-1" } as const;
    const id = await changeOf(store.write({ ...topic("a", "One."), author: session }));
    await store.write({ ...topic("a", "Two."), replace: true, author });
    await store.write(topic("b"));
    await store.rename({ from: "a", to: "c", author });
    await store.remove({ name: "b", author });
    expect(await actions(store)).toEqual(["remove b", "rename c", "write b", "write a", "write a"]);
    expect((await store.log()).at(-1)).toEqual({
      id,
      at: expect.stringMatching(/^2026-11-16T00:00:0\d\.000Z$/),
      who: "agent",
      session: "s-1",
      action: "write",
      files: [{ slug: "a", before: null, after: expect.stringContaining("One.") }],
    });
  });

  it("lists the changes of one topic, in any case and under its former names", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a"));
    await store.write(topic("b", "See [[a]]."));
    await store.rename({ from: "a", to: "c", author });
    expect(await actions(store, "A")).toEqual(["rename c", "write a"]);
    expect(await actions(store, "c")).toEqual(["rename c", "write a"]);
    expect(await actions(store, "b")).toEqual(["rename c", "write b"]);
    expect(await actions(store, "missing")).toEqual([]);
    await store.write(topic("Deploy"));
    expect(await actions(store, "dEPLOY")).toEqual(["write Deploy"]);
    await expect(store.log("../a")).rejects.toMatchObject({ code: "INVALID_SLUG" });
  });

  it("lists no change of a new store and creates nothing", async () => {
    const home = await storeHome({ "a.md": "By hand.\n" });
    expect(await home.open().log()).toEqual([]);
    await expect(readFile(fileOf(home))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

/** The text of every file. A restored topic may have another position in the index. */
async function filesOf(home: StoreHome): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = await home.names();
  const texts = names.map(async (name) => {
    const lines = (await home.text(name)).split("\n");
    return [name, name === "MEMORY.md" ? lines.toSorted() : lines] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

const CHANGES: Readonly<
  Record<string, (store: FsTopicStore) => Promise<{ readonly kind: string }>>
> = {
  write: async (store) =>
    await store.write({ ...topic("a", "New."), description: "new", replace: true }),
  create: async (store) => await store.write(topic("new")),
  remove: async (store) => await store.remove({ name: "a", author }),
  rename: async (store) => await store.rename({ from: "a", to: "z", author }),
  "rename in case only": async (store) => await store.rename({ from: "a", to: "A", author }),
};

describe("undo", () => {
  it.for(Object.entries(CHANGES))(
    "restores everything after %s, and undoing the undo repeats it",
    async ([, change]) => {
      const home = await storeHome();
      const store = home.open();
      await store.write(topic("a", "Old, see [[a]]."));
      await store.write(topic("b", "See [[a]]."));
      await store.write(topic("c"));
      const before = await filesOf(home);
      const id = await changeOf(change(store));
      const after = await filesOf(home);
      expect(after).not.toEqual(before);
      const undone = await store.undo({ author });
      expect(undone.undone.id).toBe(id);
      expect(await filesOf(home)).toEqual(before);
      const redone = await store.undo({ id: undone.change, author });
      expect(redone.undone).toMatchObject({ id: undone.change, action: "undo", of: id });
      expect(await filesOf(home)).toEqual(after);
      // The repeated change is the one that the next undo refers to.
      expect((await store.undo({ author })).undone.id).toBe(id);
      expect(await filesOf(home)).toEqual(before);
    },
  );

  it("undoes one change after the other until nothing is left", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a", "One."));
    await store.write({ ...topic("a", "Two."), replace: true });
    await store.write({ ...topic("a", "Three."), replace: true });
    const bodies: (string | undefined)[] = [];
    for (let step = 0; step < 3; step++) {
      await store.undo({ author });
      bodies.push((await store.read("a"))?.topic.body);
    }
    expect(bodies).toEqual(["Two.", "One.", undefined]);
    await expect(store.undo({ author })).rejects.toMatchObject({ code: "NOTHING_TO_UNDO" });
    expect((await store.log()).length).toBe(6);
  });

  it("accepts an id or an unambiguous start of one", async () => {
    const home = await storeHome({ "a.md": "a\n", "b.md": "b\n", "c.md": "c\n" });
    const change = (id: string, slug: string): Change => ({
      id,
      at: new Date().toISOString(),
      who: "agent",
      action: "write",
      files: [{ slug: parseTopicSlug(slug), before: null, after: `${slug}\n` }],
    });
    const changes = [change("abcd1111", "a"), change("abcd2222", "b"), change("ab", "c")];
    await writeHistory(home, changes.map(renderChange).join("") + renderDoneMark("ab"));
    const store = home.open();
    for (const id of ["abc", "abcd", "zzz", "", "abcd11111", "../"]) {
      await expect(store.undo({ id, author })).rejects.toMatchObject({ code: "NOTHING_TO_UNDO" });
    }
    expect((await store.undo({ id: "abcd2", author })).undone.id).toBe("abcd2222");
    expect((await store.undo({ id: "ab", author })).undone.id).toBe("ab");
    expect((await store.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
  });

  it("refuses to undo a change after a later one unless forced, and records that", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a", "One."));
    const id = await changeOf(store.write({ ...topic("a", "Two."), replace: true }));
    await writeFile(join(home.directory, "a.md"), "By hand.\n");
    const before = await bytesOf(home);
    await expect(store.undo({ author })).rejects.toMatchObject({ code: "CHANGED_SINCE" });
    await expect(store.undo({ id, author })).rejects.toMatchObject({ code: "CHANGED_SINCE" });
    expect(await home.text("a.md")).toBe("By hand.\n");
    expect(await bytesOf(home)).toBe(before);
    const { change } = await store.undo({ id, force: true, author });
    expect((await store.read("a"))?.topic.body).toBe("One.");
    expect((await store.log())[0]).toMatchObject({
      id: change,
      action: "undo",
      of: id,
      files: [{ slug: "a", before: "By hand.\n", after: expect.stringContaining("One.") }],
    });
    // Even a forced undo can be undone.
    await store.undo({ id: change, author });
    expect(await home.text("a.md")).toBe("By hand.\n");
  });

  it("refuses to undo a change if the topic is missing or its name is taken, unless forced", async () => {
    const home = await storeHome();
    const store = home.open();
    const id = await changeOf(store.write(topic("a", "One.")));
    await store.remove({ name: "a", author });
    await expect(store.undo({ id, author })).rejects.toMatchObject({ code: "CHANGED_SINCE" });
    const removal = (await store.log())[0]?.id;
    await store.write(topic("a", "Another."));
    await expect(store.undo({ id: removal, author })).rejects.toMatchObject({
      code: "CHANGED_SINCE",
    });
    expect((await store.read("a"))?.topic.body).toBe("Another.");
  });

  it("restores no secret unless the user insists", async () => {
    const home = await storeHome();
    const findSecrets = async (text: string): Promise<readonly { kind: string; line: number }[]> =>
      text.includes("hunter2") ? [{ kind: "password", line: 1 }] : [];
    const store = home.open({ findSecrets });
    await store.write({ ...topic("a", "It is hunter2."), allowSecrets: true });
    await store.remove({ name: "a", author });
    await expect(store.undo({ author })).rejects.toMatchObject({ code: "SECRET_FOUND" });
    await expect(store.undo({ author })).rejects.toThrow(/^(?!.*hunter2)/);
    expect(await store.read("a")).toBeUndefined();
    await store.undo({ allowSecrets: true, author });
    expect((await store.read("a"))?.topic.body).toBe("It is hunter2.");
  });

  it("restores every byte, including CRLF, a byte order mark and a missing final line end", async () => {
    const odd =
      "\uFEFF---\r\nname: a\r\ndescription: x\r\ntype: user\r\n---\r\n\r\nOne.\r\nTwo. \u2028 \uFFFD 😀";
    const home = await storeHome({ "a.md": odd });
    const store = home.open();
    await store.write({ ...topic("a", "New."), replace: true });
    await store.undo({ author });
    expect(await home.text("a.md")).toBe(odd);
    await store.remove({ name: "a", author });
    await store.undo({ author });
    expect(await home.text("a.md")).toBe(odd);
    await store.rename({ from: "a", to: "b", author });
    await store.undo({ author });
    expect(await home.text("a.md")).toBe(odd);
  });
});

describe("erase", () => {
  const SECRET = "correct horse battery staple";

  it("erases every word of a topic from the history, under any name and case", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("other", "See [[first]]."));
    await store.write(topic("first", SECRET));
    await store.write({ ...topic("first", `${SECRET} again`), replace: true });
    await store.rename({ from: "first", to: "second", author });
    const removal = await changeOf(store.remove({ name: "second", author }));
    expect(await bytesOf(home)).toContain(SECRET);
    expect(await store.erase("Second")).toBe(4);
    expect(await bytesOf(home)).not.toContain("horse");
    expect((await store.log()).map(({ isErased }) => isErased === true)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    for (const id of [undefined, removal]) {
      // The remaining changes are undone only by id.
      await expect(store.undo({ id, author })).rejects.toMatchObject({ code: "NOTHING_TO_UNDO" });
    }
    await expect(store.undo({ id: removal, force: true, author })).rejects.toMatchObject({
      code: "NOTHING_TO_UNDO",
    });
    expect((await home.open().log()).length).toBe(5);
  });

  it("also erases a partial line after a crash", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("other"));
    await writeFile(fileOf(home), `{"id":"x","files":[{"slug":"a","after":"${SECRET}`, {
      flag: "a",
    });
    expect(await store.erase("a")).toBe(0);
    expect(await bytesOf(home)).not.toContain("horse");
    expect(await actions(store)).toEqual(["write other"]);
  });

  it("keeps the texts of other topics and the store itself", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a", "Mine."));
    await store.write(topic("b", SECRET));
    const files = await filesOf(home);
    expect(await store.erase("b")).toBe(1);
    expect(await filesOf(home)).toEqual(files);
    const [, kept] = await store.log();
    await expect(store.undo({ author })).rejects.toThrow(
      `to undo the one before, run: caliban memory undo ${kept?.id}`,
    );
    expect((await store.undo({ id: kept?.id, author })).undone.files[0]?.slug).toBe("a");
    await expect(store.erase("../b")).rejects.toMatchObject({ code: "INVALID_SLUG" });
  });
});

describe("a damaged history", () => {
  const garbage = [
    "not json",
    "{}",
    '{"id":"x","at":"2026-11-16T00:00:00Z","who":"agent","action":"write","files":[{"slug":"../../x","before":null,"after":"evil"}]}',
    "\uFEFF",
    "\0\0\0",
    "",
  ];

  it.for(["", ...garbage])("continues after a partial last line: %j", async (torn) => {
    const home = await storeHome();
    await home.open().write(topic("a"));
    const whole = await bytesOf(home);
    await writeFile(fileOf(home), `${torn}{"id":"half","at":"20`, { flag: "a" });
    expect(hasUnfinishedChange(home.historyDirectory)).toBe(false);
    const store = home.open();
    expect(await actions(store)).toEqual(["write a"]);
    await store.write(topic("b"));
    expect(await actions(store)).toEqual(["write b", "write a"]);
    expect((await bytesOf(home)).startsWith(whole)).toBe(true);
    await store.undo({ author });
    expect((await store.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
  });

  it("continues after a partial done mark", async () => {
    const home = await storeHome();
    await home.open().write(topic("a"));
    await writeFile(fileOf(home), (await bytesOf(home)).slice(0, -5));
    const store = home.open();
    await store.write(topic("b"));
    expect(await actions(store)).toEqual(["write b", "write a"]);
  });

  it.for(garbage)(
    "continues after an invalid last line and applies nothing of it: %j",
    async (line) => {
      const home = await storeHome();
      await home.open().write(topic("a"));
      await writeFile(fileOf(home), `${line}\n`, { flag: "a" });
      const store = home.open();
      await store.write(topic("b"));
      expect(await actions(store)).toEqual(["write b", "write a"]);
      expect(await home.names()).toEqual(["MEMORY.md", "a.md", "b.md"]);
    },
  );

  it("keeps the changes between invalid lines", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("a"));
    await store.write(topic("b"));
    const [first = "", ...rest] = (await bytesOf(home)).split("\n");
    await writeFile(fileOf(home), [...garbage, first, ...garbage, ...rest].join("\n"));
    expect(await actions(home.open())).toEqual(["write b", "write a"]);
  });

  it("lets the next writer complete an unfinished change", async () => {
    const home = await storeHome();
    await home.open().write(topic("a"));
    const begun: Change = {
      id: "begun",
      at: new Date().toISOString(),
      who: "agent",
      action: "write",
      files: [{ slug: parseTopicSlug("b"), before: null, after: "Begun.\n" }],
    };
    await writeFile(fileOf(home), renderChange(begun), { flag: "a" });
    expect(hasUnfinishedChange(home.historyDirectory)).toBe(true);
    await home.open().write(topic("c"));
    expect(await home.text("b.md")).toBe("Begun.\n");
    expect(hasUnfinishedChange(home.historyDirectory)).toBe(false);
  });

  it("leaves a change unfinished of a topic that was edited by hand since then", async () => {
    const home = await storeHome({ "a.md": "By hand.\n", "b.md": "Old.\n" });
    const file = (slug: string): FileChange => ({
      slug: parseTopicSlug(slug),
      before: "Old.\n",
      after: "Begun.\n",
    });
    const begun: Change = {
      id: "begun",
      at: new Date().toISOString(),
      who: "agent",
      action: "edit",
      files: [file("a"), file("b"), file("gone")],
    };
    await writeHistory(home, renderChange(begun));
    await home.open().write(topic("c"));
    expect([await home.text("a.md"), await home.text("b.md")]).toEqual(["By hand.\n", "Begun.\n"]);
    expect(await home.names()).toEqual(["MEMORY.md", "a.md", "b.md", "c.md"]);
  });
});

describe("a history that is not a regular file", () => {
  const refused = { code: "REFUSED_FILE" };

  it.for(["file", "nothing"])(
    "refuses a history that is a link to a %s, and keeps its target",
    async (to) => {
      const home = await storeHome({ "a.md": "Mine.\n" });
      const target = join(home.directory, "..", "target");
      if (to === "file") await writeFile(target, "untouched");
      await mkdir(home.historyDirectory, { recursive: true });
      await symlink(target, fileOf(home));
      const store = home.open();
      await expect(store.write(topic("b"))).rejects.toMatchObject(refused);
      await expect(store.log()).rejects.toMatchObject(refused);
      await expect(store.undo({ author })).rejects.toMatchObject(refused);
      await expect(store.erase("a")).rejects.toMatchObject(refused);
      expect(hasUnfinishedChange(home.historyDirectory)).toBe(false);
      expect(await readFile(target, "utf8").catch(() => "nothing")).toBe(
        to === "file" ? "untouched" : "nothing",
      );
      expect((await store.list()).topics.map(({ slug }) => slug)).toEqual(["a"]);
      expect(await home.names()).toEqual(["a.md"]);
    },
  );

  it.for(["a directory", "a named pipe"])("refuses a history that is %s", async (kind) => {
    const home = await storeHome();
    await mkdir(home.historyDirectory, { recursive: true });
    if (kind === "a directory") await mkdir(fileOf(home));
    else execFileSync("mkfifo", [fileOf(home)]);
    const store = home.open();
    expect(hasUnfinishedChange(home.historyDirectory)).toBe(false);
    await expect(store.write(topic("b"))).rejects.toMatchObject(refused);
    await expect(store.log()).rejects.toMatchObject(refused);
    expect((await store.list()).topics).toEqual([]);
  });
});
