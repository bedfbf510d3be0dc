import { describe, expect, it } from "vitest";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { createFixture } from "./generations-fixture.ts";
import { interceptedDisk } from "./intercepted-disk.ts";
import { newGeneration, skill } from "./new-generation.ts";

const MAX_STEPS = 120;
const NEW = { memoryMd: "- new\n", memorySummary: "- new\n", skills: [skill("new")] };

describe("createGenerations with a failing disk", () => {
  it(
    "keeps the old or the new generation complete when any call fails, and the next write works",
    { timeout: 30_000 },
    async () => {
      let [step, failures] = [0, 0];
      for (let isOver = false; !isOver && step < MAX_STEPS; step++) {
        const fixture = await createFixture();
        await fixture.generations.write(newGeneration());
        let hasFailed = false;
        const disk = interceptedDisk((at) => {
          if (at !== step) return;
          hasFailed = true;
          throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        });
        const { write } = createGenerations({ directory: fixture.directory, disk });
        const outcome = await write(newGeneration(NEW)).catch((error: unknown) => error);
        isOver = !hasFailed;
        const now = await fixture.generations.read();
        const isWritten = now?.number !== 1;
        if (outcome instanceof Error) failures += 1;
        expect([now?.memoryMd, now?.memorySummary, now?.skills.length]).toEqual(
          isWritten ? ["- new\n", "- new\n", 1] : ["# Memory\n\n- one\n", "- one\n", 0],
        );
        expect(outcome).toMatchObject(
          isWritten ? { kind: "written" } : { name: "PipelineError", code: "MEMORY_UNUSABLE" },
        );
        expect(await fixture.generations.write(newGeneration())).toMatchObject({ kind: "written" });
        expect(fixture.names().filter((name) => !name.startsWith("generations"))).toEqual([
          "current",
        ]);
      }
      expect(step).toBeLessThan(MAX_STEPS);
      expect(failures).toBeGreaterThan(30);
    },
  );

  it("reports a full disk", async () => {
    const { directory } = await createFixture();
    const disk = interceptedDisk((step) => {
      if (step === 20) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    const { write } = createGenerations({ directory, disk });
    await expect(write(newGeneration())).rejects.toThrow("the disk is full; free some space");
  });
});
