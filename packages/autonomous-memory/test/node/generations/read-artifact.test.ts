import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArtifact } from "../../../src/node/generations/read-artifact.ts";
import { type GenerationsFixture, createFixture } from "./generations-fixture.ts";
import { newGeneration, skill } from "./new-generation.ts";

async function writtenFixture(): Promise<GenerationsFixture> {
  const fixture = await createFixture();
  await fixture.generations.write(
    newGeneration({ memoryMd: "long", memorySummary: "short", skills: [skill("deploy")] }),
  );
  writeFileSync(join(fixture.directory, "..", "secret"), "secret");
  return fixture;
}

describe("readArtifact", () => {
  it.for([
    ["", "short\n"],
    ["MEMORY.md", "long\n"],
    ["memory_summary.md", "short\n"],
    ["skills/deploy/scripts/run.sh", "echo done\n"],
    ["skills/./deploy//scripts/run.sh", "echo done\n"],
    [".", "skills/\nMEMORY.md\ngeneration.json\nmemory_summary.md\nraw_memories.md\n"],
    ["skills", "deploy/\n"],
    ["skills/", "deploy/\n"],
    ["skills/deploy", "scripts/\nSKILL.md\n"],
  ])("reads %j from the current generation", async ([path = "", text]) => {
    const { directory } = await writtenFixture();
    expect(await readArtifact(directory, path)).toEqual({ text });
  });

  it("reports an empty directory", async () => {
    const fixture = await writtenFixture();
    mkdirSync(fixture.at(1, "skills/nothing"));
    expect(await readArtifact(fixture.directory, "skills/nothing")).toEqual({
      text: "(empty directory)\n",
    });
  });

  it.for([
    "..",
    "../secret",
    "../../../secret",
    "skills/../../../../secret",
    "/etc/passwd",
    "C:/x",
    String.raw`..\secret`,
    "MEMORY.md\0",
    "..%2fsecret",
    "..%5Csecret",
    "nowhere.md",
    "MEMORY.md/x",
    "MEMORY.md:stream",
    ".generated/MEMORY.md",
    "x".repeat(2_000),
  ])("rejects %j by its address", async (path) => {
    const { directory } = await writtenFixture();
    const artifact = await readArtifact(directory, path);
    expect(artifact).toEqual({ problem: expect.stringMatching(/^memory:\/\/root\//) });
    expect(JSON.stringify(artifact)).not.toContain(directory);
  });

  it("says where artifacts are listed", async () => {
    const { directory } = await writtenFixture();
    expect(await readArtifact(directory, "nowhere.md")).toEqual({
      problem: "memory://root/nowhere.md: no such artifact; memory://root/ lists them.",
    });
  });

  it("neither follows nor lists links", async () => {
    const fixture = await writtenFixture();
    symlinkSync(join(fixture.directory, "..", "secret"), fixture.at(1, "linked.md"));
    symlinkSync(join(fixture.directory, ".."), fixture.at(1, "skills/out"));
    expect(await readArtifact(fixture.directory, "linked.md")).toEqual({
      problem: "memory://root/linked.md: symbolic links are not followed.",
    });
    expect(await readArtifact(fixture.directory, "skills/out/secret")).toHaveProperty("problem");
    expect(await readArtifact(fixture.directory, "skills")).toEqual({ text: "deploy/\n" });
  });

  it("never follows a link instead of the generations directory", async () => {
    const fixture = await writtenFixture();
    const generations = join(fixture.directory, "generations");
    renameSync(generations, join(fixture.directory, "..", "moved"));
    symlinkSync(join(fixture.directory, "..", "moved"), generations);
    expect(await readArtifact(fixture.directory, "MEMORY.md")).toHaveProperty("problem");
  });

  it.skipIf(process.platform === "win32")("never waits for a pipe", async () => {
    const fixture = await writtenFixture();
    execFileSync("mkfifo", [fixture.at(1, "pipe")]);
    expect(await readArtifact(fixture.directory, "pipe")).toEqual({
      problem: "memory://root/pipe: it is not a regular file.",
    });
  });

  it("returns the start of a very long file, and says so", async () => {
    const fixture = await writtenFixture();
    writeFileSync(fixture.at(1, "long.md"), `${"x".repeat(1023)}\n`.repeat(1_100));
    const artifact = await readArtifact(fixture.directory, "long.md");
    const { text } = "text" in artifact ? artifact : { text: "" };
    expect(text.length).toBeLessThan(1024 * 1024 + 200);
    expect(text).toContain(
      "[Truncated: the first 1048576 of 1126400 bytes of memory://root/long.md.]",
    );
  });

  it("reports that nothing was learned yet, or that the memory is damaged", async () => {
    const fixture = await createFixture();
    expect(await readArtifact(fixture.directory, "")).toEqual({
      problem: "memory://root: nothing has been learned from past sessions yet.",
    });
    mkdirSync(fixture.directory);
    writeFileSync(join(fixture.directory, "current"), "x");
    expect(await readArtifact(fixture.directory, "MEMORY.md")).toEqual({
      problem: "memory://root/MEMORY.md: the memory is damaged (it does not name a generation).",
    });
  });

  it("never returns anything outside the generation, whatever is requested", async () => {
    const { directory } = await writtenFixture();
    const part = fc.constantFrom(
      "..",
      "/",
      "secret",
      "\\",
      ".",
      "skills",
      "%2e",
      "%2f",
      "autonomous",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        expect(JSON.stringify(await readArtifact(directory, parts.join("")))).not.toContain(
          '"secret"',
        );
      }),
      { numRuns: 500 },
    );
  });
});
