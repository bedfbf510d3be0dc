import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { thisMachine } from "@caliban/common/node";
import { expect, it } from "vitest";
import { diagnoseTopics, repairTopics } from "../../../src/node/topics/doctor.ts";
import { storeHome } from "./store-home.ts";
import { topic } from "./topic-input.ts";

const GUARD = ".lock.0c5d6c64-6f0a-4f0e-9a3c-2b1c8c1f7a11.dead";

/** A directory in which a process took over the lock from another one. */
async function withGuard(pid: number, start: string) {
  const home = await storeHome();
  await home.open().write(topic("known"));
  const { host, boot } = thisMachine();
  const record = { host, boot, pid, start, token: "taker" };
  await writeFile(join(home.directory, GUARD), `${JSON.stringify(record)}\n`);
  const [store, draftsDirectory] = [home.open(), join(home.directory, "none")];
  return { home, input: { store, directory: home.directory, draftsDirectory } };
}

it("reports and removes the guard of a killed process", async () => {
  const { home, input } = await withGuard(2 ** 22 + 1, "1");
  expect(await diagnoseTopics(input)).toMatchObject([{ path: GUARD, isFixable: true }]);
  const repaired = await repairTopics(input);
  expect(repaired).toMatchObject([{ finding: { path: GUARD }, isFixed: true }]);
  expect(await home.names()).toEqual(["MEMORY.md", "known.md"]);
});

it("leaves the guard of a live process alone", async () => {
  const { pid, start } = thisMachine();
  const { home, input } = await withGuard(pid, start);
  expect(await diagnoseTopics(input)).toEqual([]);
  await repairTopics(input);
  expect(await home.names()).toContain(GUARD);
});
