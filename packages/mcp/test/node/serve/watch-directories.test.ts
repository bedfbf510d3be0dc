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

function watchOf(path: string, watchOne?: WatchOne): Watched {
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

async function changed({ changes }: Watched, change: () => Promise<unknown>): Promise<void> {
  const before = changes();
  await change();
  while (changes() === before) await new Promise((resolve) => setTimeout(resolve, 10));
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 180));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("watching a directory", () => {
  it("reports changes of its files, even if it is created later, removed and created again", async () => {
    const home = await temporaryDirectory();
    const path = join(home, "a/b/c");
    let open = 0;
    const watching = watchOf(path, (directory, onEvent) => {
      open += 1;
      return watch(directory, { persistent: false }, onEvent).on("close", () => void (open -= 1));
    });
    await quiet();
    for (let round = 0; round < 2; round += 1) {
      await changed(watching, () => mkdir(path, { recursive: true }));
      await quiet();
      await changed(watching, () => writeFile(join(path, "one.md"), "x"));
      await changed(watching, () => writeFile(join(path, "one.md"), "y"));
      await changed(watching, () => rm(join(home, "a"), { recursive: true }));
      await quiet();
      // The watchers of removed directories are closed.
      await until(() => open === 1);
    }
    expect(watching.polling).toEqual([]);
  });

  it("reports many events close together as one change, and none after it is stopped", async () => {
    let fire = (): void => undefined;
    const watching = watchOf(await temporaryDirectory(), (_directory, onEvent) => {
      fire = onEvent;
      return { close: () => undefined, on: () => undefined };
    });
    await until(() => watching.changes() === 1);
    for (let count = 0; count < 50; count += 1) fire();
    await until(() => watching.changes() === 2);
    await quiet();
    expect(watching.changes()).toBe(2);
    fire();
    watching.stop();
    fire();
    await quiet();
    expect(watching.changes()).toBe(2);
  });

  it("polls if the system cannot watch, and says so once", async () => {
    const path = await temporaryDirectory();
    const watching = watchOf(path, () => {
      throw Object.assign(new Error("no more watchers"), { code: "ENOSPC" });
    });
    await changed(watching, async () => undefined);
    expect(watching.polling).toEqual(["ENOSPC"]);
  });
});
