import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  currentGenerationDirectory,
  currentSkillsDirectory,
  readGuidance,
} from "../../../src/node/generations/read-guidance.ts";
import { type GenerationsFixture, createFixture } from "./generations-fixture.ts";
import { newGeneration, skill } from "./new-generation.ts";

const NOTHING = {
  body: undefined,
  isCut: false,
  generation: undefined,
  skillsDirectory: undefined,
};

async function writtenFixture(): Promise<GenerationsFixture> {
  const fixture = await createFixture();
  const skills = [skill("deploy"), skill("test", "---\ndescription: How to test\n---\nRun.")];
  await fixture.generations.write(newGeneration({ memorySummary: "Use pnpm.", skills }));
  return fixture;
}

describe("readGuidance", () => {
  it("contains the summary and the skills of the current generation", async () => {
    const { directory, at } = await writtenFixture();
    const guidance = await readGuidance({ directory, maxTokens: 5_000 });
    expect(guidance).toMatchObject({
      generation: 1,
      skillsDirectory: at(1, "skills"),
      diagnostics: [],
    });
    expect(guidance.body).toContain("\nUse pnpm.\n");
    expect(guidance.body).toContain("\n- deploy: Do it\n- test: How to test\n");
    expect(currentSkillsDirectory(directory)).toBe(at(1, "skills"));
    expect(join(currentGenerationDirectory(directory) ?? "", "skills")).toBe(at(1, "skills"));
  });

  it("omits skills whose names are taken, ignoring case", async () => {
    const { directory } = await writtenFixture();
    const input = { directory, maxTokens: 5_000 };
    const { body } = await readGuidance({
      ...input,
      takenNames: async () => new Set(["deploy", "other"]),
    });
    expect(body).not.toContain("- deploy");
    expect(body).toContain("\n- test: How to test\n");
  });

  it("never asks for names without learned skills", async () => {
    const { directory, generations } = await createFixture();
    await generations.write(newGeneration());
    const takenNames = (): never => expect.unreachable("asked");
    const { body } = await readGuidance({ directory, maxTokens: 5_000, takenNames });
    expect(body).toContain("- one");
  });

  it("returns the same bytes for the same files", async () => {
    const { directory } = await writtenFixture();
    const input = { directory, maxTokens: 5_000 };
    expect(await readGuidance(input)).toEqual(await readGuidance(input));
  });

  it("contains the user's edits", async () => {
    const fixture = await writtenFixture();
    fixture.edit(1, "memory_summary.md", () => "Use npm.\n");
    fixture.edit(
      1,
      "skills/deploy/SKILL.md",
      () => "---\r\ndescription: 'It''s mine'\r\n---\r\nText.\r\n",
    );
    const { body } = await readGuidance({ directory: fixture.directory, maxTokens: 5_000 });
    expect(body).toContain("\nUse npm.\n");
    expect(body).toContain("\n- deploy: It's mine\n");
  });

  it("returns nothing and no diagnostic before anything was learned", async () => {
    const { directory } = await createFixture();
    expect(await readGuidance({ directory, maxTokens: 5_000 })).toEqual({
      ...NOTHING,
      diagnostics: [],
    });
    expect(currentSkillsDirectory(directory)).toBeUndefined();
    expect(currentGenerationDirectory(directory)).toBeUndefined();
  });

  it.for([
    [
      "current does not name a generation",
      (fixture: GenerationsFixture) => writeFileSync(join(fixture.directory, "current"), "x\n"),
    ],
    [
      "current leads outside",
      (fixture: GenerationsFixture) => writeFileSync(join(fixture.directory, "current"), "../..\n"),
    ],
    [
      "current names a missing generation",
      (fixture: GenerationsFixture) => writeFileSync(join(fixture.directory, "current"), "9\n"),
    ],
    [
      "current is a directory",
      (fixture: GenerationsFixture) => {
        rmSync(join(fixture.directory, "current"));
        mkdirSync(join(fixture.directory, "current"));
      },
    ],
    [
      "the generation is a link",
      (fixture: GenerationsFixture) => {
        renameSync(fixture.at(1, ""), join(fixture.directory, "elsewhere"));
        symlinkSync(
          join(fixture.directory, "elsewhere"),
          join(fixture.directory, "generations", "1"),
        );
      },
    ],
  ] as const)("returns nothing and a diagnostic when %s", async ([, damage]) => {
    const fixture = await writtenFixture();
    damage(fixture);
    const guidance = await readGuidance({ directory: fixture.directory, maxTokens: 5_000 });
    expect(guidance).toEqual({
      ...NOTHING,
      diagnostics: [
        {
          code: "MEMORY_UNUSABLE",
          message: expect.stringMatching(/ is not used: .*Start over with: caliban memory clear$/),
          parts: [expect.any(String), { command: "memory clear" }],
        },
      ],
    });
    // The suggested remedy works, and nothing less does.
    await expect(fixture.generations.write(newGeneration())).rejects.toMatchObject({
      code: "MEMORY_UNUSABLE",
    });
    await fixture.generations.clear(() => {});
    await fixture.generations.write(newGeneration());
    const restarted = await readGuidance({ directory: fixture.directory, maxTokens: 5_000 });
    expect(restarted).toMatchObject({ body: expect.stringContaining("- one"), diagnostics: [] });
    await fixture.generations.clear(() => {});
    expect(currentSkillsDirectory(fixture.directory)).toBeUndefined();
  });

  it("never follows a link instead of the summary or a skill", async () => {
    const fixture = await writtenFixture();
    const secret = join(fixture.directory, "secret");
    mkdirSync(secret);
    writeFileSync(join(secret, "SKILL.md"), "---\ndescription: secret\n---\nsecret\n");
    symlinkSync(secret, fixture.at(1, "skills/linked"));
    rmSync(fixture.at(1, "skills/deploy/SKILL.md"));
    symlinkSync(join(secret, "SKILL.md"), fixture.at(1, "skills/deploy/SKILL.md"));
    const { body } = await readGuidance({ directory: fixture.directory, maxTokens: 5_000 });
    expect(body).not.toContain("secret");
    rmSync(fixture.at(1, "memory_summary.md"));
    symlinkSync(join(secret, "SKILL.md"), fixture.at(1, "memory_summary.md"));
    const without = await readGuidance({ directory: fixture.directory, maxTokens: 5_000 });
    expect(without).toMatchObject({
      body: undefined,
      generation: 1,
      diagnostics: [
        { message: expect.stringContaining("memory_summary.md: it is a symbolic link") },
      ],
    });
  });

  it("reports when the limit excludes some of it, or all", async () => {
    const fixture = await writtenFixture();
    const { directory } = fixture;
    const cutAt = async (maxTokens: number): Promise<readonly unknown[]> => {
      const { body, isCut } = await readGuidance({ directory, maxTokens });
      return [body === undefined ? "nothing" : "something", isCut];
    };
    expect(await cutAt(5_000)).toEqual(["something", false]);
    expect(await cutAt(1)).toEqual(["nothing", true]);
    fixture.edit(1, "memory_summary.md", () => "## A\n\nOne fact.\n\n".repeat(500));
    expect(await cutAt(1_000)).toEqual(["something", true]);
    fixture.edit(1, "memory_summary.md", () => "");
    expect(await cutAt(1)).toEqual(["nothing", false]);
  });

  it.for(["", " \n"])("returns nothing when the user emptied the summary: %j", async (text) => {
    const fixture = await writtenFixture();
    fixture.edit(1, "memory_summary.md", () => text);
    const { body, diagnostics } = await readGuidance({
      directory: fixture.directory,
      maxTokens: 5_000,
    });
    expect({ body, diagnostics }).toEqual({ body: undefined, diagnostics: [] });
  });
});
