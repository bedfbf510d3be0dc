import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseIndexLines } from "../../../../src/index-file/index-lines.ts";
import { parseTopic } from "../../../../src/topics/parse-topic.ts";
import { temporaryDirectoryOfFile } from "../../../../../../test/support/temporary-directory.ts";
import { type StoreHome, storeHome, topic } from "../store-home.ts";

const CRASHING = join(import.meta.dirname, "crash-in-write.process.ts");
/** More than any change makes system calls. */
const MOST_STEPS = 60;

// Right after a call is where the next one begins, so one change is enough to show both.
const KILLS = [
  ["write", "before"],
  ["write", "after"],
  ["create", "before"],
  ["remove", "before"],
  ["rename", "before"],
  ["import", "before"],
] as const;

const cache = await temporaryDirectoryOfFile();

describe("a process killed in the middle of a change", () => {
  it.for(KILLS)(
    "%s: %s any system call it leaves old or new, whole, and the next writer finishes it",
    { timeout: 120_000 },
    async ([change, when]) => {
      let step = 0;
      for (; step < MOST_STEPS; step++) {
        const home = await storeHome();
        const store = home.open();
        await store.write(topic("known", "Old."));
        await store.write(topic("other", "Other."));
        const child = spawnSync(
          process.execPath,
          [
            "--conditions=caliban:source",
            CRASHING,
            home.directory,
            home.historyDirectory,
            change,
            when,
            String(step),
          ],
          { encoding: "utf8", env: { ...process.env, NODE_COMPILE_CACHE: cache } },
        );
        if (child.stdout === "survived") break;
        expect(child).toMatchObject({ signal: "SIGKILL", stderr: "" });
        await expectWhole(home);
        await expectHealed(home);
      }
      expect(step).toBeGreaterThan(15);
      expect(step).toBeLessThan(MOST_STEPS);
    },
  );
});

/** As the crash left it: every topic old or new, and an index that a load can mend. */
async function expectWhole(home: StoreHome): Promise<void> {
  // A file that was moved aside when the process ended is read there.
  const there = (await home.names()).map((name) => name.replace(/\.old\.tmp$/, ""));
  const names = [...new Set(there)].filter((name) => name.endsWith(".md") && name !== "MEMORY.md");
  for (const name of names) {
    const found = await home.open().read(name.slice(0, -".md".length));
    const { problems, body } = parseTopic(found?.text ?? "");
    expect({ name, problems }).toEqual({ name, problems: [] });
    expect(["Old.", "New.", "Other.", "About new."]).toContain(body);
  }
  expect(
    names.some((name) => ["known.md", "renamed.md"].includes(name)) || !names.includes("known.md"),
  ).toBe(true);
  const lines = parseIndexLines(await home.open().index()).map(({ slug }) => `${slug}.md`);
  expect(lines.toSorted()).toEqual(names.toSorted());
}

/** After the next write: nothing lies about, the lock is free, and the history tells what is there. */
async function expectHealed(home: StoreHome): Promise<void> {
  const started = performance.now();
  const store = home.open();
  await store.write(topic("later"));
  expect(performance.now() - started).toBeLessThan(2_000);
  const names = await home.names();
  expect(names.filter((name) => !name.endsWith(".md"))).toEqual([]);
  const topics = names.filter((name) => name !== "MEMORY.md");
  const index = await readFile(join(home.directory, "MEMORY.md"), "utf8");
  expect(
    parseIndexLines(index)
      .map(({ slug }) => `${slug}.md`)
      .toSorted(),
  ).toEqual(topics);
  const latest = new Map<string, string | null>();
  for (const { files } of (await store.log()).toReversed()) {
    for (const { slug, after } of files) latest.set(`${slug}.md`, after);
  }
  expect(
    [...latest]
      .filter(([, text]) => text !== null)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(topics);
  const there = [...latest].filter(([, text]) => text !== null);
  for (const [name, text] of there) expect(await home.text(name)).toBe(text);
  for (const { slug, description } of (await store.list()).topics) {
    expect(index).toContain(`- [${slug}](${slug}.md) — project: ${description}`);
  }
}
