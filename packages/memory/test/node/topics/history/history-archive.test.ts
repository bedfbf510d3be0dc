import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { type Change, renderChange, renderDoneMark } from "../../../../src/history/change.ts";
import {
  createHistoryFile,
  HISTORY_LIMITS,
  type HistoryFile,
} from "../../../../src/node/topics/history/history-file.ts";
import { parseTopicSlug } from "../../../../src/topics/slug.ts";
import { interceptedDisk, unsyncedDisk } from "../intercepted-disk.ts";
import { type StoreHome, storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

const author = { who: "person" } as const;
const archiveOf = (home: StoreHome): string => join(home.historyDirectory, "archive.jsonl");

/** Random letters, which cannot be compressed much. */
function noise(bytes: number): string {
  const random = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 65_536) {
    crypto.getRandomValues(random.subarray(at, Math.min(at + 65_536, bytes)));
  }
  return random.toString("base64").slice(0, bytes);
}

/** Writes to a topic until the history file and the archive have been shortened. */
async function flood(home: StoreHome, writes: number, body = (): string => noise(250_000)) {
  const store = home.open();
  for (let n = 0; n < writes; n++) {
    await store.write({ ...topic("scratch", body()), replace: true });
  }
}

describe("a long history", () => {
  it(
    "keeps the replaced and the removed text of each topic, whatever is written to another one",
    { timeout: 60_000 },
    async () => {
      const home = await storeHome();
      const store = home.open();
      await store.write(topic("replaced", "The original."));
      await store.write({ ...topic("replaced", "Overwritten."), replace: true });
      await store.write(topic("removed", "The removed one."));
      await store.remove({ name: "removed", author });
      const wanted = (await store.log()).slice(0, 3);
      await flood(home, 45);
      const { archive, maxFileBytes } = HISTORY_LIMITS;
      expect((await stat(archiveOf(home))).size).toBeLessThan(archive.maxBytes);
      expect((await stat(join(home.historyDirectory, "changes.jsonl"))).size).toBeLessThan(
        maxFileBytes + 600_000,
      );
      const log = await home.open().log();
      expect(log.length).toBeLessThan(45);
      expect(log).toEqual(expect.arrayContaining(wanted));
      const [removal, , overwriting] = wanted;
      await store.undo({ id: overwriting?.id, author });
      await store.undo({ id: removal?.id, author });
      expect((await store.read("replaced"))?.topic.body).toBe("The original.");
      expect((await store.read("removed"))?.topic.body).toBe("The removed one.");
    },
  );

  it("loses nothing to a clock that is a hundred days ahead, or a hundred days behind", async () => {
    const home = await storeHome();
    const DAY_MS = 86_400_000;
    const start = Date.parse("2026-11-16T00:00:00Z");
    for (const days of [0, 100, 100, 0, -100, -100, 4000]) {
      const store = home.open({ now: () => start + days * DAY_MS });
      await store.write({ ...topic("a", `Day ${days}.`), replace: true });
    }
    expect((await home.open().log()).length).toBe(7);
  });

  it("takes a fraction of the space of its texts", async () => {
    const home = await storeHome();
    const lines = Array.from({ length: 4_000 }, (_, n) => `Line ${n} of a topic about deploys.\n`);
    await flood(home, 20, () => lines.join("") + noise(10));
    const texts = (await home.open().log()).flatMap(({ files }) =>
      files.flatMap(({ before, after }) => [before ?? "", after ?? ""]),
    );
    const textBytes = texts.join("").length;
    const { size } = await stat(archiveOf(home));
    expect(size).toBeLessThan(textBytes / 20);
  });

  it("records a hand edit of a topic whose last change is in the archive, with both texts", async () => {
    const home = await storeHome();
    await home.open().write(topic("quiet", "Ours."));
    const ours = await home.text("quiet.md");
    await flood(home, 11);
    expect(await readFile(archiveOf(home), "utf8")).toContain('"slug":"quiet"');
    expect(await home.open().recordExternalChanges()).toBe(0);
    await writeFile(join(home.directory, "quiet.md"), "Theirs.\n");
    const store = home.open();
    expect(await store.recordExternalChanges()).toBe(1);
    const [change] = await store.log("quiet");
    expect(change).toMatchObject({
      who: "other",
      files: [{ slug: "quiet", before: ours, after: "Theirs.\n" }],
    });
    await store.undo({ id: change?.id, author });
    expect(await home.text("quiet.md")).toBe(ours);
  });

  it("erases a topic from the archive as well", async () => {
    const home = await storeHome();
    const store = home.open();
    await store.write(topic("first", "correct horse"));
    await store.rename({ from: "first", to: "second", author });
    await store.write(topic("other", "Mine."));
    await flood(home, 11);
    expect(await store.erase("second")).toBe(2);
    const log = await store.log();
    expect(JSON.stringify(log)).not.toContain("correct horse");
    expect(log.filter(({ isErased }) => isErased).length).toBe(2);
    expect(log.some(({ files }) => files[0]?.after?.includes("Mine.") === true)).toBe(true);
    const heads = (await readFile(archiveOf(home), "utf8")).split("\n");
    expect(heads.find((line) => line.includes('"slug":"second"'))).toContain(
      '"isReplaced":false,"after":null',
    );
  });
});

const CORPUS = join(
  import.meta.dirname,
  "../../../../../../test/corpus/data/home/.local/share/caliban/projects/SLUG-app",
);

it("keeps every change that version 0.0.0 recorded when the history is shortened", async () => {
  const home = await storeHome();
  await cp(join(CORPUS, "memory"), home.directory, { recursive: true });
  await cp(join(CORPUS, "history"), home.historyDirectory, { recursive: true });
  const before = await home.open().log();
  expect(before.length).toBeGreaterThan(5);
  await flood(home, 11);
  const file = await readFile(join(home.historyDirectory, "changes.jsonl"), "utf8");
  expect(file).not.toContain(before.at(-1)?.id);
  const store = home.open();
  expect((await store.log()).slice(-before.length)).toEqual(before);
  const external = before.find(({ who }) => who === "other");
  await store.undo({ id: external?.id, author });
  expect(await home.text("deploy.md")).toBe(external?.files[0]?.before);
});

describe("shortening the history file", () => {
  const LIMITS = {
    maxFileBytes: 400,
    keptFileBytes: 200,
    archive: { maxBytes: 1_000, maxChangesPerTopic: 3 },
  };
  const change = (id: string, slug: string): Change => ({
    id,
    at: `2026-11-16T00:00:00.00${id}Z`,
    who: "agent",
    action: "write",
    files: [{ slug: parseTopicSlug(slug), before: `Before ${id}.\n`, after: `After ${id}.\n` }],
  });
  const CHANGES = ["1", "2", "3", "4"].map((id) => change(id, `topic-${id}`));

  async function filled(): Promise<{ path: string; history: HistoryFile }> {
    const path = join(await temporaryDirectory(), "changes.jsonl");
    await writeFile(path, CHANGES.map(renderChange).join("") + renderDoneMark("4"));
    return { path, history: createHistoryFile(path, unsyncedDisk, LIMITS) };
  }

  it.for(["once", "from then on"])(
    "loses no change and repeats none if any call fails %s",
    async (how) => {
      for (let step = 0; ; step++) {
        const { path, history } = await filled();
        let isReached = false;
        const before = (call: { readonly step: number }): void => {
          if (how === "once" ? call.step !== step : call.step < step) return;
          isReached = true;
          throw Object.assign(new Error("ENOSPC: no"), { code: "ENOSPC" });
        };
        const failing = createHistoryFile(path, interceptedDisk({ before }), LIMITS);
        await failing.trim().catch(() => undefined);
        expect(await history.read()).toEqual(CHANGES);
        await history.trim();
        expect(await history.read()).toEqual(CHANGES);
        if (!isReached) break;
      }
    },
  );

  it("loses no change if it is interrupted while it compacts the archive", async () => {
    const loud = Array.from({ length: 9 }, (_, n) => change(String(n), "loud"));
    for (let step = 0; ; step++) {
      const path = join(await temporaryDirectory(), "changes.jsonl");
      const all = [change("9", "quiet"), ...loud];
      await writeFile(path, all.map(renderChange).join("") + renderDoneMark("8"));
      let isReached = false;
      const before = (call: { readonly step: number }): void => {
        isReached ||= call.step >= step;
        if (call.step >= step) throw new Error("the process has ended");
      };
      const failing = createHistoryFile(path, interceptedDisk({ before }), LIMITS);
      await failing.trim().catch(() => undefined);
      const history = createHistoryFile(path, unsyncedDisk, LIMITS);
      expect(await history.read()).toEqual(expect.arrayContaining([all[0], all.at(-1)]));
      await history.trim();
      const kept = await history.read();
      expect(kept).toEqual(all.filter((one) => kept.some(({ id }) => id === one.id)));
      expect(kept).toEqual(expect.arrayContaining([all[0], all.at(-1)]));
      if (!isReached) break;
    }
  });

  it("ignores damaged lines of the archive, and keeps the others", async () => {
    const { path, history } = await filled();
    await history.trim();
    const archive = join(path, "../archive.jsonl");
    const [first = "", ...rest] = (await readFile(archive, "utf8")).split("\n");
    const damaged = [first.slice(0, 80), "{}", "", '{"id":"x","change":"!!"}', "\0"];
    await writeFile(archive, [...damaged, first.replace(/.{9}"}$/, '"}'), ...rest].join("\n"));
    expect(await history.read()).toEqual(CHANGES.slice(1));
    await history.record(change("5", "new"));
    expect((await history.read()).at(-1)?.id).toBe("5");
  });

  it.for(["a link", "a directory", "a named pipe"])(
    "refuses an archive that is %s",
    async (kind) => {
      const { path, history } = await filled();
      const archive = join(path, "../archive.jsonl");
      if (kind === "a link") await symlink("target", archive);
      if (kind === "a directory") await mkdir(archive);
      if (kind === "a named pipe") execFileSync("mkfifo", [archive]);
      await expect(history.read()).rejects.toMatchObject({ code: "REFUSED_FILE" });
      await expect(history.trim()).rejects.toMatchObject({ code: "REFUSED_FILE" });
      expect((await readFile(path, "utf8")).split("\n").length).toBe(CHANGES.length + 2);
    },
  );
});
