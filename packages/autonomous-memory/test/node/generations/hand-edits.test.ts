import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { type GenerationsFixture, createFixture } from "./generations-fixture.ts";
import { newGeneration, skill } from "./new-generation.ts";

async function noticesOf(
  { generations }: GenerationsFixture,
  ...input: Parameters<typeof newGeneration>
): Promise<readonly string[]> {
  const outcome = await generations.write(newGeneration(...input));
  return outcome.kind === "written" ? outcome.notices.map(({ message }) => message) : ["lost"];
}

describe("hand edits of a text", () => {
  it("keeps added lines in, and removed lines out, in every later generation", async () => {
    const fixture = await createFixture();
    const memoryMd = "# Memory\n\n- one\n- two\n";
    await fixture.generations.write(newGeneration({ memoryMd }));
    fixture.edit(1, "MEMORY.md", (text) => text.replace("- two\n", "- mine\n"));
    expect(await fixture.generations.read()).toMatchObject({
      handEdits: [{ path: "MEMORY.md", addedLines: ["- mine"], removedLines: ["- two"] }],
    });
    expect(await noticesOf(fixture, { memoryMd })).toEqual([
      "MEMORY.md: kept 1 line you added.",
      "MEMORY.md: left out 1 line you removed.",
    ]);
    for (let number = 2; number < 6; number++) {
      expect(fixture.text(number, "MEMORY.md")).toBe("# Memory\n\n- one\n- mine\n");
      await fixture.generations.write(newGeneration({ memoryMd }));
    }
  });

  it("shows added lines to the model always, and removed ones once", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ memorySummary: "- one\n- two\n" }));
    fixture.edit(1, "memory_summary.md", () => "- one\n- mine\n");
    await fixture.generations.write(newGeneration({ memorySummary: "- one\n- mine\n" }));
    expect((await fixture.generations.read())?.handEdits).toEqual([
      { path: "memory_summary.md", addedLines: ["- mine"], removedLines: [] },
    ]);
  });

  it.for(["emptied", "deleted"])("accepts a text that was %s", async (how) => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ memoryMd: "- one\n- two\n" }));
    if (how === "emptied") fixture.edit(1, "MEMORY.md", () => "");
    else rmSync(fixture.at(1, "MEMORY.md"));
    expect(await fixture.generations.read()).toMatchObject({ memoryMd: "" });
    await fixture.generations.write(newGeneration({ memoryMd: "- one\n- two\n- three\n" }));
    expect(fixture.text(2, "MEMORY.md")).toBe("- three\n");
  });

  it("merges again when the user saves while a generation is written", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    let asked = 0;
    const memory = {
      memoryMd: "# Memory\n\n- new\n",
      memorySummary: "- new\n",
      // The answer is read after the first snapshot of the current generation and before the second.
      get skills() {
        if (asked++ === 0) fixture.edit(1, "MEMORY.md", (text) => `${text}- late\n`);
        return [];
      },
    };
    const input = { ...newGeneration(), memory };
    expect(await fixture.generations.write(input)).toMatchObject({ kind: "written" });
    expect(await fixture.generations.read()).toMatchObject({
      memoryMd: "# Memory\n\n- new\n- late\n",
    });
    expect(fixture.names().filter((name) => name.startsWith("generations/"))).toHaveLength(2);
  });

  it("gives up when the user never stops saving", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    const memory = {
      memoryMd: "new",
      memorySummary: "new",
      get skills() {
        fixture.edit(1, "MEMORY.md", (text) => `${text}- more ${text.length}\n`);
        return [];
      },
    };
    const input = { ...newGeneration(), memory };
    await expect(fixture.generations.write(input)).rejects.toMatchObject({ code: "TRANSIENT" });
    expect(fixture.names()).toEqual(["current", "generations", "generations/1"]);
  });

  it("reports an edit to a replaced generation, once", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    await fixture.generations.write(newGeneration());
    fixture.edit(1, "MEMORY.md", (text) => `${text}- too late\n`);
    expect(await noticesOf(fixture)).toEqual([
      "generations/1/MEMORY.md: your edit has no effect in an old generation; repeat it in memory://root.",
    ]);
    expect(await noticesOf(fixture)).toEqual([]);
  });

  it("reports an edit to a regenerated file", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    fixture.edit(1, "raw_memories.md", (text) => `${text}mine\n`);
    expect(await noticesOf(fixture)).toEqual([
      "raw_memories.md: your edit is lost; this file is always regenerated.",
    ]);
  });
});

describe("hand edits of regenerated files", () => {
  it.for([
    [
      "raw_memories.md is larger than a memory file may be",
      ({ at }: GenerationsFixture) => truncateSync(at(1, "raw_memories.md"), 17 * 1024 * 1024),
    ],
    [
      "raw_memories.md is a link",
      ({ at }: GenerationsFixture) => {
        rmSync(at(1, "raw_memories.md"));
        symlinkSync("/etc/hostname", at(1, "raw_memories.md"));
      },
    ],
    [
      "raw_memories.md is a directory",
      ({ at }: GenerationsFixture) => {
        rmSync(at(1, "raw_memories.md"));
        mkdirSync(at(1, "raw_memories.md"));
      },
    ],
    [
      "a summary is a link",
      ({ at }: GenerationsFixture) => {
        mkdirSync(at(1, "rollout_summaries"), { recursive: true });
        symlinkSync("/etc/hostname", at(1, "rollout_summaries/a.md"));
      },
    ],
    [
      "there are more summaries than a memory may have files",
      ({ at }: GenerationsFixture) => {
        mkdirSync(at(1, "rollout_summaries"), { recursive: true });
        for (let count = 0; count < 2_001; count++)
          writeFileSync(at(1, `rollout_summaries/${count}.md`), "");
      },
    ],
  ] as const)("never fails when %s", async ([, damage]) => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    fixture.edit(1, "MEMORY.md", (text) => `${text}- mine\n`);
    damage(fixture);
    expect(await fixture.generations.read()).toMatchObject({
      handEdits: [{ path: "MEMORY.md", addedLines: ["- mine"] }],
    });
    expect(await fixture.generations.write(newGeneration())).toMatchObject({ number: 2 });
    expect(fixture.text(2, "MEMORY.md")).toContain("- mine\n");
    expect(statSync(fixture.at(2, "raw_memories.md")).size).toBeLessThan(100);
  });
});

describe("hand edits of skills", () => {
  it.for([
    [
      "edited",
      (fixture: GenerationsFixture) => fixture.edit(1, "skills/deploy/SKILL.md", () => "mine\n"),
    ],
    [
      "edited a file of",
      (fixture: GenerationsFixture) =>
        fixture.edit(1, "skills/deploy/scripts/run.sh", () => "mine\n"),
    ],
    [
      "added a file to",
      (fixture: GenerationsFixture) =>
        writeFileSync(fixture.at(1, "skills/deploy/more.txt"), "mine\n"),
    ],
    [
      "removed a file of",
      (fixture: GenerationsFixture) => rmSync(fixture.at(1, "skills/deploy/scripts/run.sh")),
    ],
  ] as const)(
    "keeps a skill that the user %s unchanged, whatever the answer says",
    async ([, change]) => {
      const fixture = await createFixture();
      await fixture.generations.write(newGeneration({ skills: [skill("deploy"), skill("other")] }));
      change(fixture);
      const kept = (await fixture.generations.read())?.skills.find(({ name }) => name === "deploy");
      const answers = [[], [skill("deploy", "# Otherwise")], [skill("Deploy"), skill("other")]];
      for (const skills of answers) {
        const notices = await noticesOf(fixture, { skills });
        expect(notices).toContain("Skill deploy: kept unchanged because you edited it.");
        const now = await fixture.generations.read();
        expect(now?.skills.find(({ name }) => name === "deploy")).toEqual(kept);
        expect(now?.handEdits.map(({ path }) => path)).toContain("skills/deploy/SKILL.md");
      }
    },
  );

  it("never restores a deleted skill under that name", async () => {
    const fixture = await createFixture();
    const skills = [skill("deploy"), skill("other")];
    await fixture.generations.write(newGeneration({ skills }));
    rmSync(fixture.at(1, "skills/deploy"), { recursive: true });
    for (let count = 0; count < 3; count++) {
      expect(await noticesOf(fixture, { skills })).toContain(
        'Skill "deploy": rejected because you deleted a skill of that name.',
      );
      const now = await fixture.generations.read();
      expect(now?.skills.map(({ name }) => name)).toEqual(["other"]);
      expect(now?.handEdits).toEqual([
        { path: "skills/deploy/SKILL.md", addedLines: [], removedLines: ["name: deploy"] },
      ]);
    }
  });

  it("keeps a skill that the user wrote byte for byte, with its execute permission", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    mkdirSync(fixture.at(1, "skills/Mine/deep/er"), { recursive: true });
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    writeFileSync(fixture.at(1, "skills/Mine/deep/er/picture.bin"), bytes);
    writeFileSync(fixture.at(1, "skills/Mine/SKILL.md"), "\uFEFF---\r\n---\r\n");
    chmodSync(fixture.at(1, "skills/Mine/SKILL.md"), 0o755);
    writeFileSync(fixture.at(1, "skills/Mine/SKILL.md~"), "left by an editor");
    for (const skills of [[skill("mine")], []])
      await fixture.generations.write(newGeneration({ skills }));
    expect(readFileSync(fixture.at(3, "skills/Mine/deep/er/picture.bin")).equals(bytes)).toBe(true);
    expect(fixture.text(3, "skills/Mine/SKILL.md")).toBe("\uFEFF---\r\n---\r\n");
    expect(statSync(fixture.at(3, "skills/Mine/SKILL.md")).mode & 0o777).toBe(0o700);
    expect(existsSync(fixture.at(3, "skills/Mine/SKILL.md~"))).toBe(false);
    expect(existsSync(fixture.at(3, "skills/mine/scripts"))).toBe(false);
  });

  it("keeps a skill that the user deleted and then wrote again", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ skills: [skill("deploy")] }));
    rmSync(fixture.at(1, "skills/deploy"), { recursive: true });
    await fixture.generations.write(newGeneration());
    mkdirSync(fixture.at(2, "skills/deploy"));
    writeFileSync(fixture.at(2, "skills/deploy/SKILL.md"), "mine\n");
    await fixture.generations.write(newGeneration({ skills: [skill("deploy")] }));
    expect(fixture.text(3, "skills/deploy/SKILL.md")).toBe("mine\n");
  });
});
