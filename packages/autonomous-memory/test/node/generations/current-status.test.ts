import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCurrentStatus } from "../../../src/node/generations/current-status.ts";
import { createFixture } from "./generations-fixture.ts";
import { newGeneration } from "./new-generation.ts";

describe("readCurrentStatus", () => {
  it("returns nothing before anything was learned", async () => {
    const { directory } = await createFixture();
    expect(readCurrentStatus(directory)).toBeUndefined();
  });

  it("returns the current generation and its times", async () => {
    const { directory, generations } = await createFixture();
    await generations.write(newGeneration());
    const status = readCurrentStatus(directory);
    expect(status).toMatchObject({ generation: 1, exists: true });
    expect(Number.isInteger(status?.madeAtMs)).toBe(true);
    expect(Number.isInteger(status?.sinceMs)).toBe(true);
  });

  it("reports a generation that does not exist", async () => {
    const { directory, generations, at } = await createFixture();
    await generations.write(newGeneration());
    rmSync(at(1, ""), { recursive: true });
    expect(readCurrentStatus(directory)).toMatchObject({ generation: 1, exists: false });
  });

  it("reports a file that does not name a generation", async () => {
    const { directory, generations } = await createFixture();
    await generations.write(newGeneration());
    writeFileSync(join(directory, "current"), "nonsense\n");
    expect(readCurrentStatus(directory)).toMatchObject({ generation: undefined, exists: false });
  });
});
