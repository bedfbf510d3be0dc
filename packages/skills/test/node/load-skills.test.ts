import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../test/support/without-privileges.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { bundledSkills } from "../../src/bundled/bundled-skills.ts";
import { loadSkills } from "../../src/node/load-skills.ts";
import type { ResolvedSkills } from "../../src/shadowing.ts";
import { skillDirectories } from "../../src/skill-directories.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const SKILL = "---\ndescription: d\n---\nBody\n";

/** Loads the skills of `app`, with `config` and `project` next to it. */
async function load(home: string): Promise<ResolvedSkills> {
  const directories = skillDirectories({
    platform: process.platform,
    workspaceRoot: join(home, "app"),
    configHome: join(home, "config"),
    generated: { path: join(home, "project/autonomous/skills"), within: join(home, "project") },
  });
  return await loadSkills({ directories, bundled: bundledSkills() });
}

async function homeWith(files: Files): Promise<string> {
  const home = await temporaryDirectory();
  await writeFiles(home, files);
  return home;
}

/** The loaded skills as `name path` and the diagnostics as `CODE path`, with paths relative to the home. */
function outcome({ skills, diagnostics }: ResolvedSkills, home: string): readonly string[] {
  const relative = (path: string): string => path.replace(`${home}/`, "");
  return [
    ...skills
      .filter(({ origin }) => origin !== "bundled")
      .map(({ name, path }) => `${name} ${relative(path)}`),
    ...diagnostics.map(({ code, path }) => `${code} ${relative(path)}`),
  ];
}

const outcomeOf = async (home: string): Promise<readonly string[]> =>
  outcome(await load(home), home);

describe("loadSkills", () => {
  it("loadSkills returns only bundled skills when there are no others", async () => {
    expect(await load(await homeWith({}))).toEqual({ skills: bundledSkills(), diagnostics: [] });
  });

  it("loadSkills loads the skills of all directories by directory and name", async () => {
    const home = await homeWith({
      "app/.claude/skills/c/SKILL.md": SKILL,
      "app/.caliban/skills/b/SKILL.md": SKILL,
      "app/.caliban/skills/a/SKILL.md": SKILL,
      "app/.caliban/skills/Z/SKILL.md": SKILL,
      "project/autonomous/skills/learned/SKILL.md": SKILL,
      "config/skills/mine/SKILL.md": SKILL,
    });
    const { skills, diagnostics } = await load(home);
    expect(skills.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      "Z workspace",
      "a workspace",
      "b workspace",
      "c workspace",
      "mine user",
      "learned generated",
      "auto-memory bundled",
    ]);
    // Reported, and loaded all the same.
    expect(diagnostics.map(({ code }) => code)).toEqual(["NOT_PORTABLE"]);
  });

  it("loadSkills keeps the first skill of a name and reports which one that is", async () => {
    const home = await homeWith({
      "app/.caliban/skills/a/SKILL.md": SKILL,
      "config/skills/a/SKILL.md": SKILL,
      "config/skills/b/SKILL.md": "---\nname: A\ndescription: d\n---\nBody\n",
    });
    const { skills, diagnostics } = await load(home);
    const first = join(home, "app/.caliban/skills/a/SKILL.md");
    expect(skills[0]?.path).toBe(first);
    expect(diagnostics.map(({ code }) => code)).toEqual(["SHADOWED", "SHADOWED"]);
    expect(diagnostics[0]?.message).toContain(first);
  });

  it("loadSkills lets only a skill of the user replace a bundled one", async () => {
    const named = "---\nname: Auto-Memory\ndescription: d\n---\nBody\n";
    const home = await homeWith({
      "app/.caliban/skills/auto-memory/SKILL.md": SKILL,
      "app/.claude/skills/x/SKILL.md": named,
      "project/autonomous/skills/auto-memory/SKILL.md": SKILL,
    });
    expect(await outcomeOf(home)).toEqual([
      "BUNDLED_NAME app/.caliban/skills/auto-memory/SKILL.md",
      "BUNDLED_NAME app/.claude/skills/x/SKILL.md",
      "BUNDLED_NAME project/autonomous/skills/auto-memory/SKILL.md",
    ]);
    await writeFiles(home, { "config/skills/y/SKILL.md": named });
    const { skills } = await load(home);
    expect(skills).toMatchObject([{ name: "auto-memory", origin: "user", alwaysLoaded: true }]);
  });

  it("loadSkills ignores files that are not skills", async () => {
    const home = await homeWith({
      "app/.caliban/skills/README.md": "Skills.\n",
      "app/.caliban/skills/SKILL.md": SKILL,
      "app/.caliban/skills/shared/notes.md": "Notes.\n",
      "app/.caliban/skills/a/b/SKILL.md": SKILL,
      "app/.claude": "a file",
    });
    expect(await outcomeOf(home)).toEqual([]);
  });

  it("loadSkills reads 200 directories and reports that there are more", async () => {
    const names = Array.from({ length: 201 }, (_, index) => `s${1000 + index}`);
    const home = await homeWith(
      Object.fromEntries(
        names.toReversed().map((name) => [`app/.caliban/skills/${name}/SKILL.md`, SKILL]),
      ),
    );
    const { skills, diagnostics } = await load(home);
    expect(skills.map(({ name }) => name)).toEqual([...names.slice(0, 200), "auto-memory"]);
    expect(diagnostics).toMatchObject([
      { code: "TOO_MANY_DIRECTORIES", path: join(home, "app/.caliban/skills") },
    ]);
  });

  it("loadSkills names a missing argument", async () => {
    // @ts-expect-error -- a caller without types
    await expect(loadSkills({})).rejects.toThrow('loadSkills: "directories" is required');
  });
});

describe("an invalid skill file", () => {
  const broken = "app/.caliban/skills/bad/SKILL.md";
  const write =
    (content: string | Uint8Array) =>
    async (path: string): Promise<void> =>
      await writeFile(path, content);

  it.for([
    ["a directory", async (path: string): Promise<void> => await mkdir(path), "NOT_A_FILE"],
    [
      "a named pipe",
      async (path: string): Promise<void> => void execFileSync("mkfifo", [path]),
      "NOT_A_FILE",
    ],
    [
      "a loop of links",
      async (path: string): Promise<void> => await symlink(path, path),
      "UNREADABLE",
    ],
    [
      "a dangling link",
      async (path: string): Promise<void> => await symlink("nothing", path),
      "UNREADABLE",
    ],
    [
      "a file without read permission",
      async (path: string): Promise<void> => await writeFile(path, SKILL, { mode: 0o000 }),
      "UNREADABLE",
    ],
    ["a binary file", write(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0xff)), "NOT_TEXT"],
    ["a huge file, most of it blank", write(SKILL + "\n".repeat(200_000)), "TOO_LARGE"],
    ["an over-long body", write(SKILL + "a".repeat(65_536)), "TOO_LARGE"],
    ["an empty file", write(""), "BROKEN_HEADER"],
    ["code", write("---js\nprocess.exit(7)\n---\n"), "BROKEN_HEADER"],
  ] as const)("loadSkills skips only the file when it is %s", async ([, make, code]) => {
    const home = await homeWith({
      "app/.caliban/skills/good/SKILL.md": SKILL,
      "config/skills/mine/SKILL.md": SKILL,
    });
    await mkdir(dirname(join(home, broken)));
    await make(join(home, broken));
    await chmod(home, 0o755);
    expect(await withoutPrivileges(() => outcomeOf(home))).toEqual([
      "good app/.caliban/skills/good/SKILL.md",
      "mine config/skills/mine/SKILL.md",
      `${code} ${broken}`,
    ]);
  });

  it("loadSkills replaces invalid UTF-8 in a skill and reports it", async () => {
    const home = await homeWith({
      [broken]: Buffer.concat([Buffer.from(SKILL), Uint8Array.of(0xe9)]),
    });
    const { skills, diagnostics } = await load(home);
    expect(skills[0]).toMatchObject({ name: "bad", body: "Body\n\uFFFD\n" });
    expect(diagnostics).toMatchObject([
      { code: "INVALID_UTF8", path: join(home, broken), line: 5 },
    ]);
  });

  it("loadSkills reports the line of a problem", async () => {
    const home = await homeWith({ [broken]: "---\ndescription: d\nname: ..\n---\nBody\n" });
    const { diagnostics } = await load(home);
    expect(diagnostics).toMatchObject([
      { code: "INVALID_NAME", path: join(home, broken), line: 3 },
    ]);
  });
});

describe("an invalid skill directory", () => {
  it.for([
    ["cannot be listed", async (path: string) => await mkdir(path, { mode: 0o311 })],
    ["cannot be entered", async (path: string) => await mkdir(dirname(path), { mode: 0o600 })],
    ["is a file", async (path: string) => await writeFile(path, "x")],
    ["is a loop of links", async (path: string) => await symlink(path, path)],
    ["is a dangling link", async (path: string) => await symlink("nothing", path)],
  ] as const)("loadSkills skips only the directory when it %s", async ([kind, make]) => {
    const home = await homeWith({ "app/.claude/skills/good/SKILL.md": SKILL });
    const directory = "app/.caliban/skills";
    if (kind !== "cannot be entered") await mkdir(join(home, "app/.caliban"));
    await make(join(home, directory));
    await chmod(home, 0o755);
    expect(await withoutPrivileges(() => outcomeOf(home))).toEqual([
      "good app/.claude/skills/good/SKILL.md",
      `DIRECTORY_UNREADABLE ${directory}`,
    ]);
  });
});

describe("links", () => {
  it.for([
    ["a file", "elsewhere/SKILL.md", "app/.caliban/skills/a/SKILL.md"],
    ["a skill", "elsewhere", "app/.caliban/skills/a"],
    ["a generated skill", "elsewhere", "project/autonomous/skills/a"],
  ] as const)(
    "loadSkills does not follow a link that leads %s out of its directory",
    async ([, target, link]) => {
      const home = await homeWith({ "elsewhere/SKILL.md": SKILL });
      await mkdir(dirname(join(home, link)), { recursive: true });
      await symlink(join(home, target), join(home, link));
      const path = link.endsWith("SKILL.md") ? link : `${link}/SKILL.md`;
      expect(await outcomeOf(home)).toEqual([`OUTSIDE ${path}`]);
    },
  );

  it("loadSkills does not follow a link from the skill directory to a sibling of the workspace", async () => {
    const home = await homeWith({ "app-other/skills/a/SKILL.md": SKILL, "app/.caliban/x": "" });
    await symlink(join(home, "app-other/skills"), join(home, "app/.caliban/skills"));
    expect(await outcomeOf(home)).toEqual(["OUTSIDE app/.caliban/skills"]);
  });

  it("loadSkills follows a link inside the workspace, even if the workspace itself is a link", async () => {
    const home = await homeWith({ "real/tools/a/SKILL.md": SKILL, "real/.caliban/skills/x": "" });
    await symlink(join(home, "real"), join(home, "app"));
    await symlink("../../tools/a", join(home, "real/.caliban/skills/b"));
    expect(await outcomeOf(home)).toEqual(["b app/.caliban/skills/b/SKILL.md"]);
  });

  it("loadSkills follows any link of the user", async () => {
    const home = await homeWith({ "dotfiles/a/SKILL.md": SKILL, "config/x": "" });
    await symlink(join(home, "dotfiles"), join(home, "config/skills"));
    expect(await outcomeOf(home)).toEqual(["a config/skills/a/SKILL.md"]);
  });

  it("loadSkills reads a directory once when another one links to it", async () => {
    const home = await homeWith({ "app/.caliban/skills/a/SKILL.md": SKILL, "app/.claude/x": "" });
    await symlink("../.caliban/skills", join(home, "app/.claude/skills"));
    expect(await outcomeOf(home)).toEqual(["a app/.caliban/skills/a/SKILL.md"]);
  });
});

it("loadSkills returns each name once and protects bundled names for any files", async () => {
  const home = await temporaryDirectory();
  const directory = fc.constantFrom(
    "app/.caliban/skills",
    "app/.claude/skills",
    "config/skills",
    "project/autonomous/skills",
  );
  const text = fc.constantFrom(
    SKILL,
    "---\nname: auto-memory\ndescription: d\n---\nBody\n",
    "---\nname: AUTO-MEMORY\ndescription: d\n---\nBody\n",
    "---\nname: b\ndescription: d\n---\nBody\n",
    "no header\n",
    "\0",
  );
  const file = fc.tuple(directory, fc.constantFrom("a", "b", "auto-memory"), text);
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 6 }), async (files) => {
      await Promise.all(
        ["app", "config", "project"].map(
          async (name) => await rm(join(home, name), { recursive: true, force: true }),
        ),
      );
      const written = new Map(
        files.map(([parent, name, content]) => [`${parent}/${name}/SKILL.md`, content]),
      );
      await writeFiles(home, Object.fromEntries(written));
      const { skills, diagnostics } = await load(home);
      const names = skills.map(({ name }) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      const owner = skills.find(({ name }) => name.toLowerCase() === "auto-memory");
      expect(["user", "bundled"]).toContain(owner?.origin);
      // Each file, and the bundled skill, is loaded or reported.
      const missing = diagnostics.filter(({ code }) => code !== "NOT_PORTABLE");
      expect(skills.length + missing.length).toBe(written.size + 1);
    }),
    { numRuns: 60 },
  );
});
