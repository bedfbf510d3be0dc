import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import {
  listGenerations,
  readGenerationFiles,
} from "../../../src/node/generations/list-generations.ts";
import { createFixture } from "./generations-fixture.ts";
import { newGeneration, skill } from "./new-generation.ts";

it("lists the generations on disk, and which one new sessions see", async () => {
  const { directory, generations } = await createFixture();
  expect(await listGenerations(directory)).toEqual([]);
  await generations.write(newGeneration());
  await generations.write(newGeneration({ memoryMd: "- two\n", skills: [skill("deploy")] }));
  const madeAtMs = newGeneration().nowMs;
  expect(await listGenerations(directory)).toEqual([
    { number: 2, previous: 1, madeAtMs, isCurrent: true },
    { number: 1, previous: undefined, madeAtMs, isCurrent: false },
  ]);
  await generations.undo();
  expect((await listGenerations(directory)).map(({ isCurrent }) => isCurrent)).toEqual([
    false,
    true,
  ]);
});

it("leaves out a damaged generation, and the link to it", async () => {
  const { directory, generations, at } = await createFixture();
  await generations.write(newGeneration());
  await generations.write(newGeneration({ memoryMd: "- two\n" }));
  writeFileSync(at(1, "generation.json"), "{");
  mkdirSync(at(7, ""));
  expect(await listGenerations(directory)).toMatchObject([{ number: 2, isCurrent: true }]);
});

it("reads what sessions read of a generation, with the edits of the user", async () => {
  const { directory, generations, edit } = await createFixture();
  await generations.write(newGeneration({ skills: [skill("deploy")] }));
  edit(1, "MEMORY.md", (text) => `${text}- mine\n`);
  const files = await readGenerationFiles(directory, 1);
  expect(files.map(({ path }) => path)).toEqual([
    "memory_summary.md",
    "MEMORY.md",
    "skills/deploy/SKILL.md",
    "skills/deploy/scripts/run.sh",
  ]);
  expect(files[1]?.content).toContain("- mine\n");
  expect(await readGenerationFiles(directory, 2)).toEqual([]);
});

it("reads nothing behind a symbolic link", async () => {
  const { directory, generations } = await createFixture();
  await generations.write(newGeneration());
  const outside = await temporaryDirectory();
  writeFileSync(join(outside, "MEMORY.md"), "private\n");
  symlinkSync(outside, join(directory, "generations", "2"));
  expect(await readGenerationFiles(directory, 2)).toEqual([]);
});
