import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArtifact } from "../../../src/node/generations/read-artifact.ts";
import { type GenerationsHome, generationsHome } from "./generations-home.ts";
import { newGeneration, skill } from "./new-generation.ts";

async function writtenHome(): Promise<GenerationsHome> {
  const home = await generationsHome();
  await home.generations.write(
    newGeneration({ memoryMd: "long", memorySummary: "short", skills: [skill("deploy")] }),
  );
  writeFileSync(join(home.directory, "..", "secret"), "secret");
  return home;
}

describe("memory://root", () => {
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
  ])("%j is a file or a listing of the current generation", async ([path = "", text]) => {
    const { directory } = await writtenHome();
    expect(await readArtifact(directory, path)).toEqual({ text });
  });

  it("says that a directory is empty", async () => {
    const home = await writtenHome();
    mkdirSync(home.at(1, "skills/nothing"));
    expect(await readArtifact(home.directory, "skills/nothing")).toEqual({
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
  ])("%j is refused by its address", async (path) => {
    const { directory } = await writtenHome();
    const artifact = await readArtifact(directory, path);
    expect(artifact).toEqual({ problem: expect.stringMatching(/^memory:\/\/root\//) });
    expect(JSON.stringify(artifact)).not.toContain(directory);
  });

  it("says where what there is can be seen", async () => {
    const { directory } = await writtenHome();
    expect(await readArtifact(directory, "nowhere.md")).toEqual({
      problem: "memory://root/nowhere.md: there is no such artifact; memory://root/ lists them.",
    });
  });

  it("follows no link, at the end or on the way, and lists none", async () => {
    const home = await writtenHome();
    symlinkSync(join(home.directory, "..", "secret"), home.at(1, "linked.md"));
    symlinkSync(join(home.directory, ".."), home.at(1, "skills/out"));
    expect(await readArtifact(home.directory, "linked.md")).toEqual({
      problem: "memory://root/linked.md: it is a symbolic link, which is not followed.",
    });
    expect(await readArtifact(home.directory, "skills/out/secret")).toHaveProperty("problem");
    expect(await readArtifact(home.directory, "skills")).toEqual({ text: "deploy/\n" });
  });

  it("follows no link in the place of all generations", async () => {
    const home = await writtenHome();
    const generations = join(home.directory, "generations");
    renameSync(generations, join(home.directory, "..", "moved"));
    symlinkSync(join(home.directory, "..", "moved"), generations);
    expect(await readArtifact(home.directory, "MEMORY.md")).toHaveProperty("problem");
  });

  it.skipIf(process.platform === "win32")("does not wait for a pipe", async () => {
    const home = await writtenHome();
    execFileSync("mkfifo", [home.at(1, "pipe")]);
    expect(await readArtifact(home.directory, "pipe")).toEqual({
      problem: "memory://root/pipe: it is not a regular file.",
    });
  });

  it("gives the beginning of a very long file, and says so", async () => {
    const home = await writtenHome();
    writeFileSync(home.at(1, "long.md"), `${"x".repeat(1023)}\n`.repeat(1_100));
    const artifact = await readArtifact(home.directory, "long.md");
    const { text } = "text" in artifact ? artifact : { text: "" };
    expect(text.length).toBeLessThan(1024 * 1024 + 200);
    expect(text).toContain(
      "[memory://root/long.md has 1126400 bytes; these are the first 1048576.]",
    );
  });

  it("says that nothing was learned yet, or that it is damaged", async () => {
    const home = await generationsHome();
    expect(await readArtifact(home.directory, "")).toEqual({
      problem: "memory://root: nothing was learned from earlier sessions yet.",
    });
    mkdirSync(home.directory);
    writeFileSync(join(home.directory, "current"), "x");
    expect(await readArtifact(home.directory, "MEMORY.md")).toEqual({
      problem: "memory://root/MEMORY.md: the memory is damaged (it names no generation).",
    });
  });

  it("never gives what is outside, whatever is asked for", async () => {
    const { directory } = await writtenHome();
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
