import { rm, stat } from "node:fs/promises";
import { nodeDisk } from "@caliban/common/node";
import { describe, expect, it } from "vitest";
import { parseIndexLines } from "../../../../src/index-file/index-lines.ts";
import { type DiskCall, interceptedDisk } from "../intercepted-disk.ts";
import { copyHome, type StoreHome, storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

const FAILURES = ["ENOSPC", "EROFS", "EACCES", "EMFILE"] as const;
/** Calls that fail on a full disk. */
const NEEDS_ROOM: ReadonlySet<string> = new Set([
  "create",
  "write",
  "sync",
  "link",
  "openToAppend",
]);

describe("a durable write", () => {
  it("makes its system calls in an order that survives a crash", async () => {
    const home = await storeHome();
    await home.open().write(topic("known"));
    const calls: DiskCall[] = [];
    const before = (call: DiskCall): void => void calls.push(call);
    const store = home.open({ disk: interceptedDisk({ before }, nodeDisk) });
    await store.write(topic("warm"));
    calls.length = 0;
    await store.write({ ...topic("known", "New."), replace: true });
    const order = calls.map(
      ({ name, files }) => `${name} ${files.replaceAll(/\.lock\.\d+\.[\w-]+/g, ".lock.OWN")}`,
    );
    expect(order).toEqual([
      "create .lock.OWN",
      "write .lock.OWN",
      "close .lock.OWN",
      "link .lock.OWN .lock",
      "unlink .lock.OWN",
      "openToAppend changes.jsonl",
      "write changes.jsonl",
      "sync changes.jsonl",
      "create known.md.tmp",
      "write known.md.tmp",
      "sync known.md.tmp",
      "close known.md.tmp",
      "rename known.md known.md.old.tmp",
      "link known.md.tmp known.md",
      "unlink known.md.tmp",
      "syncDirectory memory",
      "touch MEMORY.md",
      "unlink known.md.old.tmp",
      "write changes.jsonl",
      "close changes.jsonl",
      "unlink .lock",
    ]);
  });

  it("writes the index after the topic in the same way", async () => {
    const home = await storeHome();
    const calls: DiskCall[] = [];
    const before = (call: DiskCall): void => void calls.push(call);
    const store = home.open({ disk: interceptedDisk({ before }, nodeDisk) });
    await store.write(topic("warm"));
    calls.length = 0;
    await store.write(topic("new"));
    const order = calls.map(({ name, files }) => `${name} ${files}`);
    const from = order.indexOf("sync changes.jsonl");
    expect(order.slice(from, -1)).toEqual([
      "sync changes.jsonl",
      "create new.md.tmp",
      "write new.md.tmp",
      "sync new.md.tmp",
      "close new.md.tmp",
      "link new.md.tmp new.md",
      "unlink new.md.tmp",
      "syncDirectory memory",
      "create MEMORY.md.tmp",
      "write MEMORY.md.tmp",
      "sync MEMORY.md.tmp",
      "close MEMORY.md.tmp",
      "rename MEMORY.md MEMORY.md.old.tmp",
      "link MEMORY.md.tmp MEMORY.md",
      "unlink MEMORY.md.tmp",
      "syncDirectory memory",
      "unlink MEMORY.md.old.tmp",
      "write changes.jsonl",
      "close changes.jsonl",
    ]);
  });

  it("creates files with mode 0600 and directories with mode 0700", async () => {
    const home = await storeHome();
    await rm(home.directory, { recursive: true, force: true });
    await home.open().write(topic("a"));
    const modeOf = async (path: string): Promise<string> =>
      ((await stat(path)).mode & 0o777).toString(8);
    expect(await modeOf(home.directory)).toBe("700");
    expect(await modeOf(home.historyDirectory)).toBe("700");
    for (const name of await home.names())
      expect(await modeOf(`${home.directory}/${name}`)).toBe("600");
    expect(await modeOf(`${home.historyDirectory}/changes.jsonl`)).toBe("600");
  });
});

interface Prepared {
  readonly home: StoreHome;
  readonly files: Readonly<Record<string, string>>;
}

/** A store with two topics, and the files in its directory. */
async function prepared(): Promise<Prepared> {
  const home = await storeHome();
  const store = home.open();
  await store.write(topic("known", "Old."));
  await store.write(topic("other", "Other."));
  return { home, files: await filesOf(home) };
}

async function filesOf(home: StoreHome): Promise<Readonly<Record<string, string>>> {
  const names = await home.names();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await home.text(name)])),
  );
}

type Change = (store: ReturnType<StoreHome["open"]>) => Promise<unknown>;

const CHANGES = {
  "replacing a topic": (store) =>
    store.write({ ...topic("known", "New."), description: "another line", replace: true }),
  "a new topic": (store) => store.write(topic("new")),
  "removing a topic": (store) => store.remove({ name: "known", author: { who: "agent" } }),
  "renaming a topic": (store) =>
    store.rename({ from: "known", to: "renamed", author: { who: "agent" } }),
} as const satisfies Record<string, Change>;

async function countSteps(change: Change, { home }: Prepared): Promise<number> {
  const copy = await copyHome(home);
  let steps = 0;
  await change(copy.open({ disk: interceptedDisk({ before: () => void steps++ }) }));
  return steps;
}

describe.for(Object.entries(CHANGES))("a disk that fails while %s", ([title, change]) => {
  // The rollback is the same for every change, so one of them is enough for all error codes.
  it.for(title === "a new topic" ? FAILURES : (["ENOSPC"] as const))(
    "leaves the old or the new state and reports which, if any one call fails with %s",
    async (code) => {
      const start = await prepared();
      const steps = await countSteps(change, start);
      for (let failing = 0; failing < steps; failing++) {
        const isFailing = ({ step }: DiskCall): boolean => step === failing;
        await expect(
          expectIntactAfter(change, { start, code, isFailing }),
        ).resolves.toBeUndefined();
      }
    },
  );

  it("leaves the old or the new state and reports which, if the disk is full from any call on", async () => {
    const start = await prepared();
    const steps = await countSteps(change, start);
    for (let failing = 0; failing < steps; failing++) {
      const isFailing = ({ step, name }: DiskCall): boolean =>
        step >= failing && NEEDS_ROOM.has(name);
      await expect(
        expectIntactAfter(change, { start, code: "ENOSPC", isFailing }),
      ).resolves.toBeUndefined();
    }
  });

  it("loses nothing if every call fails from any call on, and the next writer recovers", async () => {
    const start = await prepared();
    const steps = await countSteps(change, start);
    for (let failing = 0; failing < steps; failing++) {
      const home = await copyHome(start.home);
      const disk = interceptedDisk({
        before: ({ step }) => void (step >= failing && fail("EROFS")),
      });
      await change(home.open({ disk })).catch(() => undefined);
      // The process has ended as well, and its lock with it.
      await home.endProcess();
      await home.open().write(topic("later"));
      await expect(expectConsistent(home, start.files)).resolves.toBeUndefined();
    }
  });
});

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: no`), { code });
}

async function expectIntactAfter(
  change: Change,
  input: {
    readonly start: Prepared;
    readonly code: string;
    readonly isFailing: (call: DiskCall) => boolean;
  },
): Promise<void> {
  const { start, code, isFailing } = input;
  const { files } = start;
  const home = await copyHome(start.home);
  let failed: DiskCall | undefined;
  const disk = interceptedDisk({
    before: (call) => {
      if (!isFailing(call)) return;
      failed ??= call;
      fail(code);
    },
  });
  const error: unknown = await change(home.open({ disk })).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  // Either it succeeded, or it reports the reason and everything is as before.
  if (error !== undefined) await expectUnchanged(home, { files, error, code, failed });
  await home.open({ lockTiming: { timeoutMs: 50 } }).write(topic("later"));
  await expectConsistent(home, files);
}

async function expectUnchanged(
  home: StoreHome,
  {
    files,
    error,
    code,
    failed,
  }: {
    readonly files: Readonly<Record<string, string>>;
    readonly error: unknown;
    readonly code: string;
    readonly failed: DiskCall | undefined;
  },
): Promise<void> {
  const now = await filesOf(home);
  const kept = Object.fromEntries(Object.entries(now).filter(([file]) => file in files));
  expect({ failed, error, kept }).toEqual({
    failed,
    error: expect.objectContaining({
      code: "UNWRITABLE",
      message: expect.stringContaining(code) as string,
    }) as unknown,
    kept: files,
  });
}

/** Every topic is complete and has one line, there are no temporary files, and the history matches. */
async function expectConsistent(
  home: StoreHome,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const now = await filesOf(home);
  expect(Object.keys(now).filter((name) => !name.endsWith(".md"))).toEqual([]);
  const topics = Object.keys(now).filter((name) => name !== "MEMORY.md");
  const lines = parseIndexLines(now["MEMORY.md"] ?? "").map(({ slug }) => `${slug}.md`);
  expect(lines.toSorted()).toEqual(topics.toSorted());
  expect(now["other.md"]).toBe(files["other.md"]);
  expect(topics.filter((name) => /^(?:known|renamed)\.md$/.test(name)).length).toBeLessThanOrEqual(
    1,
  );
  const latest = new Map<string, string | null>();
  for (const { files: changed } of (await home.open().log()).toReversed()) {
    for (const { slug, after } of changed) latest.set(`${slug}.md`, after);
  }
  for (const [file, text] of latest)
    expect({ file, text: now[file] ?? null }).toEqual({ file, text });
}
