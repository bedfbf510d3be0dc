import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { loadSkills } from "../../../../skills/src/node/load-skills.ts";
import { createFixture } from "./generations-fixture.ts";
import { interceptedDisk } from "./intercepted-disk.ts";
import { extraction, newGeneration, skill } from "./new-generation.ts";

describe("createGenerations", () => {
  it("returns nothing before the first write", async () => {
    const { generations } = await createFixture();
    expect(await generations.read()).toBeUndefined();
  });

  it("reads what was written", async () => {
    const { generations } = await createFixture();
    const memory = {
      memoryMd: "# M\r\n\r\n- a",
      memorySummary: "- a\n\n",
      skills: [skill("deploy")],
    };
    expect(await generations.write(newGeneration(memory))).toEqual({
      kind: "written",
      number: 1,
      notices: [],
    });
    expect(await generations.read()).toEqual({
      number: 1,
      memoryMd: "# M\n\n- a\n",
      memorySummary: "- a\n",
      skills: [
        {
          ...skill("deploy"),
          content: '---\nname: deploy\ndescription: "Do it"\n---\n\n# Do it\n\nSteps.\n',
        },
      ],
      handEdits: [],
    });
  });

  it("continues numbering, whatever number a stray directory has", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    mkdirSync(fixture.at(999_999_999_999_999, ""));
    for (const number of [2, 3])
      expect(await fixture.generations.write(newGeneration())).toMatchObject({ number });
    expect(await fixture.generations.read()).toMatchObject({ number: 3 });
  });

  it("writes private files without execute permission", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ skills: [skill("deploy")] }));
    const below = readdirSync(fixture.directory, { recursive: true, withFileTypes: true });
    const modes = below.map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return `${entry.isDirectory() ? "directory" : "file"} ${(mode & 0o777).toString(8)}`;
    });
    expect(new Set(modes)).toEqual(new Set(["directory 700", "file 600"]));
  });

  it("writes the inputs newest first, without removed and empty ones", async () => {
    const fixture = await createFixture();
    const extractions = [
      extraction({ threadId: "old", rawMemory: "- old", rolloutSummary: "Old.", updatedAtMs: 0 }),
      extraction({
        threadId: "../new",
        rawMemory: "- new",
        rolloutSummary: "New.",
        rolloutSlug: "Fix ../it",
      }),
      extraction({
        threadId: "gone",
        rawMemory: "- gone",
        rolloutSummary: "Gone.",
        isRemoved: true,
      }),
      extraction({ threadId: "silent" }),
    ];
    await fixture.generations.write(newGeneration({}, { extractions }));
    expect(readdirSync(fixture.at(1, "rollout_summaries"))).toEqual([
      "new-fix-it.md",
      "old-session.md",
    ]);
    expect(fixture.text(1, "rollout_summaries/new-fix-it.md")).toBe(
      "session: ../new\ndate: 2026-11-01\n\nNew.\n",
    );
    expect(fixture.text(1, "raw_memories.md")).toBe(
      "# What each session left, newest first\n\n## Session ../new (2026-11-01)\n\n- new\n\n## Session old (1970-01-01)\n\n- old\n",
    );
  });

  it("writes skills that the skill loader accepts without a diagnostic", async () => {
    const fixture = await createFixture();
    const skills = [
      skill("../../x"),
      skill("CON"),
      skill("x".repeat(300)),
      skill("a", "no header"),
    ];
    await fixture.generations.write(newGeneration({ skills }));
    const directories = [
      { path: fixture.at(1, "skills"), origin: "generated", within: fixture.at(1, "skills") },
    ] as const;
    const loaded = await loadSkills({ directories, bundled: [] });
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.skills.map(({ name }) => name).toSorted()).toEqual([
      "a",
      "con-file",
      "x",
      "x".repeat(64),
    ]);
    expect(readdirSync(join(fixture.directory, ".."))).toEqual(["autonomous"]);
  });

  it("reports removed skills", async () => {
    const { generations } = await createFixture();
    await generations.write(newGeneration({ skills: [skill("one"), skill("two")] }));
    expect(await generations.write(newGeneration())).toMatchObject({
      notices: [
        { code: "SKILL_REMOVED", message: "Skill one: removed from memory." },
        { code: "SKILL_REMOVED", message: "Skill two: removed from memory." },
      ],
    });
    expect((await generations.read())?.skills).toEqual([]);
  });

  it.for([{ memoryMd: " \n" }, { memorySummary: "" }, { memoryMd: "\0" }])(
    "keeps the memory when a new text is empty: %j",
    async (memory) => {
      const fixture = await createFixture();
      await fixture.generations.write(newGeneration());
      const before = await fixture.generations.read();
      await expect(fixture.generations.write(newGeneration(memory))).rejects.toMatchObject({
        code: "PERMANENT",
      });
      expect(await fixture.generations.read()).toEqual(before);
      expect(fixture.names()).toEqual(["current", "generations", "generations/1"]);
    },
  );

  it("truncates a long text at a section end, and reports it", async () => {
    const fixture = await createFixture();
    const memorySummary = `## A\n\na\n\n## B\n\n${"b".repeat(70_000)}\n`;
    expect(await fixture.generations.write(newGeneration({ memorySummary }))).toMatchObject({
      notices: [{ message: "memory_summary.md: truncated from 70015 to 8 bytes." }],
    });
    expect(fixture.text(1, "memory_summary.md")).toBe("## A\n\na\n");
  });

  it("keeps three generations and never reuses a number", async () => {
    const fixture = await createFixture();
    for (let count = 0; count < 5; count++) await fixture.generations.write(newGeneration());
    expect(fixture.names()).toEqual([
      "current",
      "generations",
      "generations/3",
      "generations/4",
      "generations/5",
    ]);
    expect(await fixture.generations.undo()).toBe(4);
    await fixture.generations.write(newGeneration());
    expect(fixture.names()).toEqual([
      "current",
      "generations",
      "generations/3",
      "generations/4",
      "generations/6",
    ]);
  });

  it("changes nothing after the claim was lost", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    const memory = { memoryMd: "other" };
    const result = await fixture.generations.write(
      newGeneration(memory, { isStillClaimed: () => false }),
    );
    expect(result).toEqual({ kind: "lost" });
    expect(fixture.names()).toEqual(["current", "generations", "generations/1"]);
  });
});

describe("createGenerations: undo", () => {
  it("restores the previous generation, repeatedly", async () => {
    const fixture = await createFixture();
    for (const memoryMd of ["one", "two"])
      await fixture.generations.write(newGeneration({ memoryMd }));
    expect(await fixture.generations.undo()).toBe(1);
    await fixture.generations.write(newGeneration({ memoryMd: "three" }));
    expect(await fixture.generations.undo()).toBe(1);
    expect(await fixture.generations.read()).toMatchObject({ number: 1, memoryMd: "one\n" });
  });

  it("rejects undo without a previous generation", async () => {
    const { generations } = await createFixture();
    await expect(generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
    await generations.write(newGeneration());
    await expect(generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
  });
});

describe("createGenerations: making a generation current", () => {
  it("rejects undo to a damaged generation", async () => {
    const fixture = await createFixture();
    for (const memoryMd of ["one", "two"])
      await fixture.generations.write(newGeneration({ memoryMd }));
    rmSync(fixture.at(1, "generation.json"));
    await expect(fixture.generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
    expect(await fixture.generations.read()).toMatchObject({ number: 2 });
  });

  it("rejects a writer that lost its lock", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ memoryMd: "one" }));
    const lock = join(fixture.directory, ".lock");
    // Right before the rename, another process takes the lock.
    const disk = interceptedDisk(() => undefined);
    const robbed = createGenerations({
      directory: fixture.directory,
      disk: {
        ...disk,
        create: async (path) => {
          if (path.includes(".current.")) rmSync(lock, { force: true });
          return await disk.create(path);
        },
      },
    });
    await expect(robbed.write(newGeneration({ memoryMd: "two" }))).rejects.toBeInstanceOf(Error);
    expect(await fixture.generations.read()).toMatchObject({ number: 1, memoryMd: "one\n" });
  });

  it("rejects a lock that is a symbolic link", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ memoryMd: "one" }));
    const elsewhere = join(fixture.directory, "..", "elsewhere");
    writeFileSync(elsewhere, "mine");
    symlinkSync(elsewhere, join(fixture.directory, ".lock"));
    await expect(fixture.generations.write(newGeneration())).rejects.toMatchObject({
      code: "MEMORY_UNUSABLE",
    });
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
    expect(await fixture.generations.read()).toMatchObject({ number: 1 });
  });
});

describe("createGenerations: clear", () => {
  it("removes everything, after the action under the same lock", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    const seen: boolean[] = [];
    await fixture.generations.clear(() => seen.push(existsSync(join(fixture.directory, ".lock"))));
    expect(seen).toEqual([true]);
    expect(readdirSync(fixture.directory)).toEqual([]);
    expect(await fixture.generations.read()).toBeUndefined();
  });

  it.for(["nonsense", "directory"])("removes an unreadable memory: %s", async (what) => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    const current = join(fixture.directory, "current");
    rmSync(current);
    if (what === "directory") mkdirSync(join(current, "inner"), { recursive: true });
    else writeFileSync(current, what);
    await fixture.generations.clear(() => undefined);
    expect(readdirSync(fixture.directory)).toEqual([]);
    expect(await fixture.generations.read()).toBeUndefined();
  });

  it("creates nothing without a memory, and still runs the action", async () => {
    const fixture = await createFixture();
    let calls = 0;
    await fixture.generations.clear(() => {
      calls += 1;
    });
    await expect(fixture.generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
    expect({ calls, exists: existsSync(fixture.directory) }).toEqual({ calls: 1, exists: false });
  });

  it("removes nothing when the action fails, and rethrows its error", async () => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    const failure = Object.assign(new Error("locked"), { code: "ERR_SQLITE_ERROR" });
    const cleared = fixture.generations.clear(() => {
      throw failure;
    });
    await expect(cleared).rejects.toBe(failure);
    expect((await fixture.generations.read())?.number).toBe(1);
  });
});

describe("createGenerations with an invalid memory", () => {
  it.for([
    ["current names nothing", "current", "x"],
    ["current is empty", "current", ""],
    ["current names a missing generation", "current", "7\n"],
    ["the record is damaged", "generations/1/generation.json", "{}"],
    ["the record is of a newer version", "generations/1/generation.json", '{"version":2}'],
  ] as const)("neither reads as empty nor overwrites %s", async ([, path, text]) => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration());
    writeFileSync(join(fixture.directory, path), text);
    const unusable = { name: "PipelineError", code: "MEMORY_UNUSABLE" };
    await expect(fixture.generations.read()).rejects.toMatchObject(unusable);
    await expect(fixture.generations.write(newGeneration())).rejects.toMatchObject(unusable);
    expect(readFileSync(join(fixture.directory, path), "utf8")).toBe(text);
  });

  it.for([
    "",
    "generations",
    "current",
    "generations/1",
    "generations/1/skills",
    "generations/1/skills/mine",
    "generations/1/skills/deploy/SKILL.md",
    "generations/1/MEMORY.md",
  ])("rejects a symbolic link at /%s", async (part) => {
    const fixture = await createFixture();
    await fixture.generations.write(newGeneration({ skills: [skill("deploy")] }));
    const [path, elsewhere] = [
      join(fixture.directory, part),
      join(fixture.directory, "..", "elsewhere"),
    ];
    if (existsSync(path)) renameSync(path, elsewhere);
    else mkdirSync(elsewhere);
    symlinkSync(elsewhere, path);
    const before = statSync(elsewhere).mtimeMs;
    const unusable = { code: "MEMORY_UNUSABLE" };
    await expect(fixture.generations.write(newGeneration())).rejects.toMatchObject(unusable);
    await expect(fixture.generations.read()).rejects.toMatchObject(unusable);
    expect(statSync(elsewhere).mtimeMs).toBe(before);
  });

  it("reports the reason of the disk", async () => {
    const fixture = await createFixture();
    writeFileSync(fixture.directory, "a file");
    const { write } = createGenerations({ directory: fixture.directory });
    await expect(write(newGeneration())).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
  });
});
