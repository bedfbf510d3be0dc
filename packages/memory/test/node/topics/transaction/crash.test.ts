import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIndexLines } from "../../../../src/index-file/index-lines.ts";
import { parseTopic } from "../../../../src/topics/parse-topic.ts";
import { type DiskCall, interceptedDisk } from "../intercepted-disk.ts";
import { copyHome, type StoreHome, storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";
import { CHANGES } from "./crash-changes.ts";
import { RUNTIME } from "../../../../../../test/support/runtime.ts";

const CRASHING = join(import.meta.dirname, "crash-in-write.process.ts");
/** More system calls than any change makes. */
const MAX_STEPS = 60;
/** Real kills per change; at every system call with FULL=1. */
const SAMPLED_KILLS = 2;
const FULL = process.env["FULL"] === "1";

async function prepared(): Promise<StoreHome> {
  const home = await storeHome();
  const store = home.open();
  await store.write(topic("known", "Old."));
  await store.write(topic("other", "Other."));
  return home;
}

describe("a crash in the middle of a change", () => {
  it.for(Object.keys(CHANGES))(
    "leaves every topic old or new at any system call of a %s, and the next writer recovers",
    { timeout: 60_000 },
    async (name) => {
      const start = await prepared();
      let step = 0;
      for (; step < MAX_STEPS; step++) {
        const home = await copyHome(start);
        // From this call on, nothing reaches the disk any more: neither the change nor any clean-up.
        const before = (call: DiskCall): void => {
          if (call.step >= step) throw new Error("the process has ended");
        };
        const store = home.open({ disk: interceptedDisk({ before }) });
        const isDone = await CHANGES[name]?.(store).then(
          () => true,
          () => false,
        );
        if (isDone && (await home.names()).every((file) => !file.startsWith(".lock"))) break;
        await home.endProcess();
        await expectIntact(home);
        await expectRecovered(home);
      }
      expect(step).toBeGreaterThan(15);
      expect(step).toBeLessThan(MAX_STEPS);
    },
  );

  it.for(Object.keys(CHANGES))(
    "leaves every topic old or new when a process is killed in the middle of a %s",
    { timeout: 120_000 },
    async (name) => {
      const start = await prepared();
      const kill = async (step: number): Promise<boolean> => {
        const home = await copyHome(start);
        const args = [CRASHING, home.directory, home.historyDirectory, name, String(step)];
        const child = spawnSync(RUNTIME, ["--conditions=caliban:source", ...args], {
          encoding: "utf8",
        });
        if (child.stdout === "survived") return false;
        expect(child).toMatchObject({ signal: "SIGKILL", stderr: "" });
        await expectIntact(home);
        await expectRecovered(home);
        return true;
      };
      if (FULL) {
        for (let step = 0; step < MAX_STEPS && (await kill(step)); step++);
        return;
      }
      await fc.assert(
        fc.asyncProperty(fc.nat(20), async (step) => void (await kill(step))),
        { numRuns: SAMPLED_KILLS, endOnFailure: true },
      );
    },
  );
});

/** Right after the crash: every topic is old or new, and the index can be repaired. */
async function expectIntact(home: StoreHome): Promise<void> {
  // A file whose process ended while it was a backup is read from there.
  const existing = (await home.names()).map((name) => name.replace(/\.old\.tmp$/, ""));
  const names = [...new Set(existing)].filter(
    (name) => name.endsWith(".md") && name !== "MEMORY.md",
  );
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

/** After the next write: no temporary files, no lock, and the history matches the files. */
async function expectRecovered(home: StoreHome): Promise<void> {
  const store = home.open();
  await store.write(topic("later"));
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
  const existing = [...latest].filter(([, text]) => text !== null);
  expect(existing.map(([name]) => name).toSorted()).toEqual(topics);
  for (const [name, text] of existing) expect(await home.text(name)).toBe(text);
  for (const { slug, description } of (await store.list()).topics) {
    expect(index).toContain(`- [${slug}](${slug}.md) — project: ${description}`);
  }
}
