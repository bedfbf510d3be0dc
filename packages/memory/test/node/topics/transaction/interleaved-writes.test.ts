import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DiskCall, interceptedDisk } from "../intercepted-disk.ts";
import { type StoreHome, storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

/** Every system call with FULL=1, otherwise every third, starting at another one in each case. */
const STRIDE = process.env["FULL"] === "1" ? 1 : 3;
const THEIRS = "---\nname: known\ndescription: theirs\ntype: user\n---\n\nTheirs.\n";

/** What another program may do to a file at any moment. */
const INTERFERENCES: Readonly<Record<string, (path: string) => void>> = {
  "writing it in place": (path) => writeFileSync(path, THEIRS),
  "replacing it": (path) => {
    writeFileSync(`${path}.x`, THEIRS);
    renameSync(`${path}.x`, path);
  },
  "removing it": (path) => {
    if (existsSync(path)) unlinkSync(path);
  },
};

const OLD = "---\nname: known\ndescription: old\ntype: user\n---\n\nOld.\n";

/** A store with a topic, written by the store or by another program. */
async function withKnown(whose = "ours"): Promise<StoreHome> {
  if (whose === "theirs") return await storeHome({ "known.md": OLD });
  const home = await storeHome();
  await home.open().write(topic("known", "Old."));
  return home;
}

type Change = (store: ReturnType<StoreHome["open"]>) => Promise<unknown>;

const CHANGES: Readonly<Record<string, Change>> = {
  "a replacement": async (store) => {
    const seen = await store.read("known");
    return await store.write({ ...topic("known", "New."), ifMatch: seen?.hash });
  },
  "a new topic": async (store) => await store.write(topic("new", "New.")),
  "a removal": async (store) => {
    const seen = await store.read("known");
    return await store.remove({ name: "known", ifMatch: seen?.hash, author: { who: "agent" } });
  },
  "a rename": async (store) =>
    await store.rename({ from: "known", to: "renamed", author: { who: "agent" } }),
};

const CASES = Object.keys(CHANGES).flatMap((change) =>
  Object.keys(INTERFERENCES).map((interference) => [change, interference, "ours"] as const),
);
// A text that is not in the history is lost more easily.
const UNKNOWN = Object.keys(INTERFERENCES).map(
  (interference) => ["a replacement", interference, "theirs"] as const,
);

/** How another program may add a line to the index. */
const WAYS = ["in place", "by a rename", "at its end"] as const;

describe("another program that writes between two system calls", () => {
  it.for([...CASES, ...UNKNOWN])(
    "loses no text when another program interferes with %s by %s (%s)",
    async (row) => {
      const [changeName, interferenceName, whose] = row;
      const [change, interfere] = [CHANGES[changeName], INTERFERENCES[interferenceName]];
      const file = changeName === "a new topic" ? "new.md" : "known.md";
      const start = Object.keys(INTERFERENCES).indexOf(interferenceName) % STRIDE;
      for (let step = start; ; step += STRIDE) {
        const home = await withKnown(whose);
        const old = existsSync(join(home.directory, file)) ? await home.text(file) : undefined;
        let isOver = true;
        let met: string | undefined;
        const before = (call: DiskCall): void => {
          if (call.step !== step) return;
          isOver = false;
          met = textOf(join(home.directory, file));
          interfere?.(join(home.directory, file));
        };
        await change?.(home.open({ disk: interceptedDisk({ before }) }));
        if (isOver) break;
        await home.open().recordExternalChanges();
        const kept = await keptTexts(home, file);
        // The other program may discard its own text, but not ours or the one ours is based on.
        const isTheirs = whose === "theirs" && met === old;
        const wanted = [
          ...(interferenceName === "removing it" ? [] : [THEIRS]),
          ...(isTheirs ? [] : [old, met]),
        ];
        const lost = wanted.filter((text) => text !== undefined && !kept.has(text));
        expect({ step, lost }).toEqual({ step, lost: [] });
        const strange = (await home.names()).filter((name) => !name.endsWith(".md"));
        expect({ step, strange }).toEqual({ step, strange: [] });
      }
    },
  );

  it("loses no text on a file system without hard links", async () => {
    const home = await withKnown();
    const refuse = ({ name, files }: DiskCall): void => {
      if (name === "link" && !files.startsWith(".lock"))
        throw Object.assign(new Error("EPERM: no"), { code: "EPERM" });
    };
    const store = home.open({ disk: interceptedDisk({ before: refuse }) });
    await store.write(topic("new", "New."));
    await store.write({ ...topic("known", "Newer."), replace: true });
    expect((await store.read("known"))?.topic.body).toBe("Newer.");
    const seen = await store.read("known");
    writeFileSync(join(home.directory, "known.md"), THEIRS);
    const late = await store.write({ ...topic("known", "Newest."), ifMatch: seen?.hash });
    expect(late.kind).toBe("conflict");
    expect(await home.text("known.md")).toBe(THEIRS);
    expect(await home.names()).toEqual(["MEMORY.md", "known.md", "new.md"]);
  });

  it("loses no file that is created without hard links while the old one is a backup", async () => {
    const home = await withKnown();
    const path = join(home.directory, "known.md");
    const refuse = ({ name, files }: DiskCall): void => {
      if (name !== "link" || files.startsWith(".lock")) return;
      if (files === "known.md.tmp known.md") writeFileSync(path, THEIRS);
      throw Object.assign(new Error("EPERM: no"), { code: "EPERM" });
    };
    const store = home.open({ disk: interceptedDisk({ before: refuse }) });
    const seen = await store.read("known");
    const { kind } = await store.write({ ...topic("known", "New."), ifMatch: seen?.hash });
    expect(kind).toBe("conflict");
    expect(await home.text("known.md")).toBe(THEIRS);
  });

  it.for(["known.md", "MEMORY.md"])(
    "loses no text written through a descriptor of %s that was opened before",
    async (file) => {
      const home = await withKnown();
      const path = join(home.directory, file);
      const descriptor = openSync(path, "a");
      let isLate = true;
      const before = ({ name, files }: DiskCall): void => {
        if (name !== "link" || files !== `${file}.tmp ${file}` || !isLate) return;
        isLate = false;
        writeSync(descriptor, "Late.\n");
        closeSync(descriptor);
      };
      const store = home.open({ disk: interceptedDisk({ before }) });
      const seen = await store.read("known");
      const change = { ...topic("known", "New."), description: "new", ifMatch: seen?.hash };
      const { kind } = await store.write(change);
      expect(isLate).toBe(false);
      expect(await home.text(file)).toContain("Late.\n");
      // For a topic, this is a conflict; to the index, our line is added all the same.
      expect(kind).toBe(file === "known.md" ? "conflict" : "written");
    },
  );

  it.for(WAYS)("loses no index line of another program, written %s", async (how) => {
    for (let step = WAYS.indexOf(how) % STRIDE; ; step += STRIDE) {
      const home = await withKnown();
      const path = join(home.directory, "MEMORY.md");
      let [isOver, isAdded] = [true, false];
      const before = (call: DiskCall): void => {
        if (call.step !== step) return;
        isOver = false;
        const text = textOf(path);
        // Without an index at this moment, there is nothing to add to.
        if (text === undefined) return;
        isAdded = true;
        if (how === "in place") writeFileSync(path, `${text}\nTheirs.\n`);
        if (how === "at its end") writeFileSync(path, "\nTheirs.\n", { flag: "a" });
        if (how !== "by a rename") return;
        writeFileSync(`${path}.x`, `${text}\nTheirs.\n`);
        renameSync(`${path}.x`, path);
      };
      await home.open({ disk: interceptedDisk({ before }) }).write(topic("new"));
      if (isOver) break;
      const index = await home.text("MEMORY.md");
      expect({ step, lines: index.match(/\]\((?:new|known)\.md\)/g)?.length }).toEqual({
        step,
        lines: 2,
      });
      expect({ step, isKept: index.includes("\nTheirs.\n") }).toEqual({ step, isKept: isAdded });
    }
  });
});

describe("an index backup that was never restored", () => {
  it("merges an index backup even if another copy exists", async () => {
    const home = await storeHome({
      "MEMORY.md": "# Mine\n",
      "MEMORY.md.old.tmp": "# Mine\n\nTheirs.\n",
      "MEMORY.md.kept.tmp": "# Mine\n\nAnother's.\n",
    });
    await home.open().write(topic("new"));
    expect(await home.text("MEMORY.md")).toMatch(/Theirs\.[^]*Another's\.|Another's\.[^]*Theirs\./);
    expect(await home.names()).toEqual(["MEMORY.md", "new.md"]);
  });

  it("completes an interrupted change next to an index backup", async () => {
    const home = await withKnown();
    const files = [{ slug: "new", before: null, after: THEIRS }];
    const change = { id: "0", at: new Date().toISOString(), who: "agent", action: "write", files };
    const history = join(home.historyDirectory, "changes.jsonl");
    writeFileSync(history, `${JSON.stringify(change)}\n`, { flag: "a" });
    writeFileSync(join(home.directory, "MEMORY.md.old.tmp"), "# Mine\n\nTheirs.\n");
    await home.open().write(topic("later"));
    expect(await home.text("MEMORY.md")).toMatch(/\(new\.md\)[^]*Theirs\./);
    expect(await home.names()).toEqual(["MEMORY.md", "known.md", "later.md", "new.md"]);
  });

  it("drops an index backup that the interrupted change itself had replaced", async () => {
    const home = await withKnown();
    const index = { before: "# Mine\n\nTaken back.\n", after: "# Mine\n" };
    const files = [{ slug: "gone", before: THEIRS, after: null }];
    const change = { id: "0", at: new Date().toISOString(), who: "agent", action: "undo", files };
    const history = join(home.historyDirectory, "changes.jsonl");
    writeFileSync(history, `${JSON.stringify({ ...change, index })}\n`, { flag: "a" });
    writeFileSync(join(home.directory, "MEMORY.md.old.tmp"), index.before);
    await home.open().write(topic("later"));
    expect(await home.text("MEMORY.md")).not.toContain("Taken back.");
  });

  it("leaves a topic with an unrecorded backup alone", async () => {
    const home = await withKnown();
    const before = await home.text("known.md");
    const files = [{ slug: "known", before, after: `${before}New.\n` }];
    const change = { id: "0", at: new Date().toISOString(), who: "agent", action: "edit", files };
    const history = join(home.historyDirectory, "changes.jsonl");
    writeFileSync(history, `${JSON.stringify(change)}\n`, { flag: "a" });
    writeFileSync(join(home.directory, "known.md.old.tmp"), THEIRS);
    await home.open().write(topic("later"));
    expect(await keptTexts(home, "known.md")).toContain(THEIRS);
    expect(await home.text("known.md")).toBe(before);
    expect(await home.names()).toEqual(["MEMORY.md", "known.md", "later.md"]);
  });

  it("merges a very long index backup", async () => {
    const long = Array.from({ length: 60_000 }, (_, n) => `A line of theirs, ${n}.\n`).join("");
    const home = await storeHome({ "MEMORY.md": "# Mine\n", "MEMORY.md.old.tmp": long });
    await home.open().write(topic("new"));
    expect(await home.text("MEMORY.md")).toContain("A line of theirs, 59999.\n");
    expect(await home.names()).toEqual(["MEMORY.md", "new.md"]);
  });
});

describe("a topic backup that was never restored", () => {
  it("moves a topic backup back unless the topic was removed", async () => {
    const home = await withKnown();
    await home.open().write(topic("gone"));
    const removed = await home.text("gone.md");
    await home.open().remove({ name: "gone", author: { who: "agent" } });
    writeFileSync(join(home.directory, "gone.md.old.tmp"), removed);
    const known = join(home.directory, "known.md");
    renameSync(known, `${known}.old.tmp`);
    await home.open().write(topic("new"));
    expect(await home.names()).toEqual(["MEMORY.md", "known.md", "new.md"]);
  });
});

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Every text on disk or in the history. */
async function keptTexts(home: StoreHome, file: string): Promise<ReadonlySet<string | null>> {
  const changes = await home.open().log();
  const texts = changes.flatMap(({ files }) => files.flatMap((each) => [each.before, each.after]));
  return new Set([...texts, textOf(join(home.directory, file)) ?? null]);
}
