import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readFileOrBackup } from "../../../../src/node/topics/files/topic-files.ts";
import { createTopicListing } from "../../../../src/node/topics/files/listing.ts";
import { type StoreHome, storeHome } from "../store-home.ts";

const ROUNDS = process.env["FULL"] === "1" ? "3000" : "500";
const FLICKER = join(import.meta.dirname, "flicker.process.ts");

/** Reads a file repeatedly while another process changes it; returns the wrong results. */
async function readWhile(
  action: "backup" | "remove",
  look: (home: StoreHome) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const home = await storeHome({ "known.md": "Known.\n" });
  const args = [FLICKER, join(home.directory, "known.md"), action, ROUNDS];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const exit = once(child, "exit");
  const wrong: string[] = [];
  for (let looks = 1; child.exitCode === null; looks++) {
    wrong.push(...[await look(home)].filter((each) => each !== undefined));
    if (looks % 100 === 0) await setImmediate();
  }
  expect(await exit).toEqual([0, null]);
  return wrong;
}

describe("a file that another process is replacing", () => {
  it("reads a file that is being replaced every time", async () => {
    const missed = await readWhile("backup", async ({ directory }) => {
      const { kind } = await readFileOrBackup(join(directory, "known.md"), 1_000);
      return kind === "text" ? undefined : kind;
    });
    expect(missed).toEqual([]);
  });

  it("lists a file that is being replaced every time", async () => {
    const missed = await readWhile("backup", async ({ directory }) => {
      const { topics } = await createTopicListing().list(directory);
      return topics.length === 1 ? undefined : "not listed";
    });
    expect(missed).toEqual([]);
  });
});

it("reports no file as unreadable that another process removes", async () => {
  const problems = await readWhile("remove", async ({ directory }) => {
    const [problem] = (await createTopicListing().list(directory)).problems;
    return problem?.message;
  });
  expect(problems).toEqual([]);
});
