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
import { generationsHome } from "./generations-home.ts";
import { interceptedDisk } from "./intercepted-disk.ts";
import { extraction, newGeneration, skill } from "./new-generation.ts";

describe("a memory on disk", () => {
  it("is not there before the first time", async () => {
    const { generations } = await generationsHome();
    expect(await generations.read()).toBeUndefined();
  });

  it("is what was written", async () => {
    const { generations } = await generationsHome();
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

  it("is numbered on, whatever number a directory of nobody has", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration());
    mkdirSync(home.at(999_999_999_999_999, ""));
    for (const number of [2, 3])
      expect(await home.generations.write(newGeneration())).toMatchObject({ number });
    expect(await home.generations.read()).toMatchObject({ number: 3 });
  });

  it("is private, and nothing of it can be run", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration({ skills: [skill("deploy")] }));
    const below = readdirSync(home.directory, { recursive: true, withFileTypes: true });
    const modes = below.map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return `${entry.isDirectory() ? "directory" : "file"} ${(mode & 0o777).toString(8)}`;
    });
    expect(new Set(modes)).toEqual(new Set(["directory 700", "file 600"]));
  });

  it("has its inputs beside it, newest first, without what was removed or says nothing", async () => {
    const home = await generationsHome();
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
    await home.generations.write(newGeneration({}, { extractions }));
    expect(readdirSync(home.at(1, "rollout_summaries"))).toEqual([
      "new-fix-it.md",
      "old-session.md",
    ]);
    expect(home.text(1, "rollout_summaries/new-fix-it.md")).toBe(
      "session: ../new\ndate: 2026-11-01\n\nNew.\n",
    );
    expect(home.text(1, "raw_memories.md")).toBe(
      "# What each session left, newest first\n\n## Session ../new (2026-11-01)\n\n- new\n\n## Session old (1970-01-01)\n\n- old\n",
    );
  });

  it("gives skills that the loader of skills takes without a word", async () => {
    const home = await generationsHome();
    const skills = [
      skill("../../x"),
      skill("CON"),
      skill("x".repeat(300)),
      skill("a", "no header"),
    ];
    await home.generations.write(newGeneration({ skills }));
    const directories = [
      { path: home.at(1, "skills"), origin: "generated", within: home.at(1, "skills") },
    ] as const;
    const loaded = await loadSkills({ directories, bundled: [] });
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.skills.map(({ name }) => name).toSorted()).toEqual([
      "a",
      "con-file",
      "x",
      "x".repeat(64),
    ]);
    expect(readdirSync(join(home.directory, ".."))).toEqual(["autonomous"]);
  });

  it("says which skills are no longer part of it", async () => {
    const { generations } = await generationsHome();
    await generations.write(newGeneration({ skills: [skill("one"), skill("two")] }));
    expect(await generations.write(newGeneration())).toMatchObject({
      notices: [
        "Skill one is no longer part of the memory.",
        "Skill two is no longer part of the memory.",
      ],
    });
    expect((await generations.read())?.skills).toEqual([]);
  });

  it.for([{ memoryMd: " \n" }, { memorySummary: "" }, { memoryMd: "\0" }])(
    "stays as it is when a new text is empty: %j",
    async (memory) => {
      const home = await generationsHome();
      await home.generations.write(newGeneration());
      const before = await home.generations.read();
      await expect(home.generations.write(newGeneration(memory))).rejects.toMatchObject({
        code: "PERMANENT",
      });
      expect(await home.generations.read()).toEqual(before);
      expect(home.names()).toEqual(["current", "generations", "generations/1"]);
    },
  );

  it("is cut at a section end when it is too long, and says so", async () => {
    const home = await generationsHome();
    const memorySummary = `## A\n\na\n\n## B\n\n${"b".repeat(70_000)}\n`;
    expect(await home.generations.write(newGeneration({ memorySummary }))).toMatchObject({
      notices: ["memory_summary.md was cut from 70015 to 8 bytes."],
    });
    expect(home.text(1, "memory_summary.md")).toBe("## A\n\na\n");
  });

  it("keeps three generations and never uses a number twice", async () => {
    const home = await generationsHome();
    for (let count = 0; count < 5; count++) await home.generations.write(newGeneration());
    expect(home.names()).toEqual([
      "current",
      "generations",
      "generations/3",
      "generations/4",
      "generations/5",
    ]);
    expect(await home.generations.undo()).toBe(4);
    await home.generations.write(newGeneration());
    expect(home.names()).toEqual([
      "current",
      "generations",
      "generations/3",
      "generations/4",
      "generations/6",
    ]);
  });

  it("changes nothing when it is somebody else's turn", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration());
    const memory = { memoryMd: "other" };
    const result = await home.generations.write(
      newGeneration(memory, { isStillClaimed: () => false }),
    );
    expect(result).toEqual({ kind: "lost" });
    expect(home.names()).toEqual(["current", "generations", "generations/1"]);
  });
});

describe("undo", () => {
  it("goes back, past what was undone before", async () => {
    const home = await generationsHome();
    for (const memoryMd of ["one", "two"])
      await home.generations.write(newGeneration({ memoryMd }));
    expect(await home.generations.undo()).toBe(1);
    await home.generations.write(newGeneration({ memoryMd: "three" }));
    expect(await home.generations.undo()).toBe(1);
    expect(await home.generations.read()).toMatchObject({ number: 1, memoryMd: "one\n" });
  });

  it("is refused when there is nothing before", async () => {
    const { generations } = await generationsHome();
    await expect(generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
    await generations.write(newGeneration());
    await expect(generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
  });
});

describe("a step that everybody sees", () => {
  it("is not taken by undo back to a generation that is damaged", async () => {
    const home = await generationsHome();
    for (const memoryMd of ["one", "two"])
      await home.generations.write(newGeneration({ memoryMd }));
    rmSync(home.at(1, "generation.json"));
    await expect(home.generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
    expect(await home.generations.read()).toMatchObject({ number: 2 });
  });

  it("is not taken by a writer who was given up meanwhile", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration({ memoryMd: "one" }));
    const lock = join(home.directory, ".lock");
    // Right before the rename somebody else takes the lock.
    const disk = interceptedDisk(() => undefined);
    const robbed = createGenerations({
      directory: home.directory,
      disk: {
        ...disk,
        create: async (path) => {
          if (path.includes(".current.")) rmSync(lock, { force: true });
          return await disk.create(path);
        },
      },
    });
    await expect(robbed.write(newGeneration({ memoryMd: "two" }))).rejects.toBeInstanceOf(Error);
    expect(await home.generations.read()).toMatchObject({ number: 1, memoryMd: "one\n" });
  });

  it("is not taken under a lock that is a link to something else", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration({ memoryMd: "one" }));
    const elsewhere = join(home.directory, "..", "elsewhere");
    writeFileSync(elsewhere, "mine");
    symlinkSync(elsewhere, join(home.directory, ".lock"));
    await expect(home.generations.write(newGeneration())).rejects.toMatchObject({
      code: "MEMORY_UNUSABLE",
    });
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
    expect(await home.generations.read()).toMatchObject({ number: 1 });
  });
});

describe("clear", () => {
  it("removes everything, after what has to be done under the same lock", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration());
    const seen: boolean[] = [];
    await home.generations.clear(() => seen.push(existsSync(join(home.directory, ".lock"))));
    expect(seen).toEqual([true]);
    expect(readdirSync(home.directory)).toEqual([]);
    expect(await home.generations.read()).toBeUndefined();
  });

  it.for(["nonsense", "directory"])("removes what cannot be read: %s", async (what) => {
    const home = await generationsHome();
    await home.generations.write(newGeneration());
    const current = join(home.directory, "current");
    rmSync(current);
    if (what === "directory") mkdirSync(join(current, "inner"), { recursive: true });
    else writeFileSync(current, what);
    await home.generations.clear(() => undefined);
    expect(readdirSync(home.directory)).toEqual([]);
    expect(await home.generations.read()).toBeUndefined();
  });

  it("makes nothing where nothing is, and still does what has to be done", async () => {
    const home = await generationsHome();
    let calls = 0;
    await home.generations.clear(() => {
      calls += 1;
    });
    await expect(home.generations.undo()).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
    expect({ calls, isThere: existsSync(home.directory) }).toEqual({ calls: 1, isThere: false });
  });

  it("removes nothing when what has to be done first fails, and says so in its words", async () => {
    const home = await generationsHome();
    await home.generations.write(newGeneration());
    const failure = Object.assign(new Error("locked"), { code: "ERR_SQLITE_ERROR" });
    const cleared = home.generations.clear(() => {
      throw failure;
    });
    await expect(cleared).rejects.toBe(failure);
    expect((await home.generations.read())?.number).toBe(1);
  });
});

describe("a memory that is not what it has to be", () => {
  it.for([
    ["current names nothing", "current", "x"],
    ["current is empty", "current", ""],
    ["current names what is not there", "current", "7\n"],
    ["the record is damaged", "generations/1/generation.json", "{}"],
    ["the record is of a newer version", "generations/1/generation.json", '{"version":2}'],
  ] as const)("is neither read as empty nor written over: %s", async ([, path, text]) => {
    const home = await generationsHome();
    await home.generations.write(newGeneration());
    writeFileSync(join(home.directory, path), text);
    const unusable = { name: "PipelineError", code: "MEMORY_UNUSABLE" };
    await expect(home.generations.read()).rejects.toMatchObject(unusable);
    await expect(home.generations.write(newGeneration())).rejects.toMatchObject(unusable);
    expect(readFileSync(join(home.directory, path), "utf8")).toBe(text);
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
  ])("is refused when a part of it is a link: /%s", async (part) => {
    const home = await generationsHome();
    await home.generations.write(newGeneration({ skills: [skill("deploy")] }));
    const [path, elsewhere] = [join(home.directory, part), join(home.directory, "..", "elsewhere")];
    if (existsSync(path)) renameSync(path, elsewhere);
    else mkdirSync(elsewhere);
    symlinkSync(elsewhere, path);
    const before = statSync(elsewhere).mtimeMs;
    const unusable = { code: "MEMORY_UNUSABLE" };
    await expect(home.generations.write(newGeneration())).rejects.toMatchObject(unusable);
    await expect(home.generations.read()).rejects.toMatchObject(unusable);
    expect(statSync(elsewhere).mtimeMs).toBe(before);
  });

  it("says what the disk says", async () => {
    const home = await generationsHome();
    writeFileSync(home.directory, "a file");
    const { write } = createGenerations({ directory: home.directory });
    await expect(write(newGeneration())).rejects.toMatchObject({ code: "MEMORY_UNUSABLE" });
  });
});
