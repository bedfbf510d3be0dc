import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { readOwnFile } from "../../../src/node/topics/topic-files.ts";
import { storeHome } from "./store-home.ts";

const FLICKER = join(import.meta.dirname, "flicker.process.ts");

it("finds a file that another process moves aside and back, each time", async () => {
  const home = await storeHome({ "MEMORY.md": "# Mine\n" });
  const path = join(home.directory, "MEMORY.md");
  const child = spawn(process.execPath, [FLICKER, path, "3000"], { stdio: "inherit" });
  const exit = once(child, "exit");
  const missed: string[] = [];
  for (let looks = 1; child.exitCode === null; looks++) {
    const { kind } = await readOwnFile(path, 1_000);
    if (kind !== "text") missed.push(kind);
    if (looks % 100 === 0) await setImmediate();
  }
  expect(await exit).toEqual([0, null]);
  expect(missed).toEqual([]);
});
