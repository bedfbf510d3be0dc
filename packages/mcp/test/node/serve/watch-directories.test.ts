import { watch } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { type WatchOne, watchDirectories } from "../../../src/node/serve/watch-directories.ts";

interface Watched {
  readonly changes: () => number;
  readonly polling: readonly string[];
  readonly stop: () => void;
}

function watched(path: string, watchOne?: WatchOne): Watched {
  let changes = 0;
  const polling: string[] = [];
  const stop = watchDirectories({
    directories: [path],
    onChange: () => void (changes += 1),
    onPolling: (reason) => void polling.push(reason),
    watchOne,
  });
  onTestFinished(stop);
  return { changes: () => changes, polling, stop };
}

async function more({ changes }: Watched, change: () => Promise<unknown>): Promise<void> {
  const before = changes();
  await change();
  while (changes() === before) await new Promise((resolve) => setTimeout(resolve, 10));
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 180));

describe("a watched directory", () => {
  it("tells of files in it, also when it comes later, goes and comes again", async () => {
    const home = await temporaryDirectory();
    const path = join(home, "a/b/c");
    let open = 0;
    const here = watched(path, (place, onEvent) => {
      open += 1;
      return watch(place, { persistent: false }, onEvent).on("close", () => void (open -= 1));
    });
    await quiet();
    for (let round = 0; round < 2; round += 1) {
      await more(here, () => mkdir(path, { recursive: true }));
      await quiet();
      await more(here, () => writeFile(join(path, "one.md"), "x"));
      await more(here, () => writeFile(join(path, "one.md"), "y"));
      await more(here, () => rm(join(home, "a"), { recursive: true }));
      await quiet();
      // Those of places that are gone are closed.
      expect(open).toBe(1);
    }
    expect(here.polling).toEqual([]);
  });

  it("tells of many changes as one, and of none when it is stopped", async () => {
    const path = await temporaryDirectory();
    const here = watched(path);
    await quiet();
    const before = here.changes();
    for (let count = 0; count < 50; count += 1) await writeFile(join(path, `${count}.md`), "x");
    await quiet();
    expect(here.changes() - before).toBeLessThan(10);
    expect(here.changes() - before).toBeGreaterThan(0);
    here.stop();
    const last = here.changes();
    await writeFile(join(path, "late.md"), "x");
    await quiet();
    expect(here.changes()).toBe(last);
  });

  it("is looked at again and again where the system watches nothing, and that is said once", async () => {
    const path = await temporaryDirectory();
    const here = watched(path, () => {
      throw Object.assign(new Error("no more watchers"), { code: "ENOSPC" });
    });
    await more(here, async () => undefined);
    expect(here.polling).toEqual(["ENOSPC"]);
  });
});
