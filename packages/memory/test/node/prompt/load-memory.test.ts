import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutPrivileges } from "../../../../../test/support/without-privileges.ts";
import { loadMemory } from "../../../src/node/prompt/load-memory.ts";
import { createProject, load, outcomes } from "./load-project.ts";

const THREE_TIERS = {
  ".config/caliban/CLAUDE.md": "Be brief.\n",
  "app/CLAUDE.md": "Use pnpm.\n",
  ".local/share/caliban/projects/SLUG/memory/MEMORY.md": "# Memory index\n",
};

describe("loadMemory", () => {
  it("loads the three tiers of a workspace in order", async () => {
    const { memory } = await load(THREE_TIERS);
    expect(memory.prefix.match(/^<[a-z-]+/gm)).toEqual([
      "<global-claude-md",
      "<project-claude-md",
      "<auto-memory-index",
    ]);
  });

  it("takes the home directory only from the environment it is given", async () => {
    const input = await createProject(THREE_TIERS);
    const { prefix } = await loadMemory(input);
    const { directory, env, home } = input;
    expect((await loadMemory({ directory, env })).prefix).toBe(prefix);
    const windows = { USERPROFILE: String.raw`C:\Users\me`, HOME: "ignored" };
    for (const [shown, homeless] of [
      [home, { directory, env: {} }],
      [home, { directory, env: { HOME: "relative" } }],
      ["ignored", { directory, env: windows, platform: "win32" }],
    ] as const) {
      const { memoryDirectory } = await loadMemory(homeless);
      expect(memoryDirectory ?? "").not.toContain(shown);
    }
    expect((await loadMemory({ directory, env: windows, platform: "win32" })).projectHome).toMatch(
      /^C:\\Users\\me\\/,
    );
  });

  it("returns the same bytes twice, and from any directory without files of its own", async () => {
    const input = await createProject({ ...THREE_TIERS, "app/src/index.ts": "" });
    const { prefix } = await loadMemory(input);
    expect((await loadMemory(input)).prefix).toBe(prefix);
    expect((await loadMemory({ ...input, directory: join(input.directory, "src") })).prefix).toBe(
      prefix,
    );
  });

  it("returns the same bytes whatever the order in which a directory lists its files", async () => {
    const names = ["b", "a", "d/x", "c", "d/a", "é", "Z"].map(
      (name) => `app/.caliban/rules/${name}.md`,
    );
    const entries = names.map((name) => [name, `rule ${name}\n`] as const);
    const prefixes: string[] = [];
    for (const order of [entries, entries.toReversed()]) {
      const { memory, home } = await load({
        ...Object.fromEntries(order),
        "app/CLAUDE.md": "file\n",
      });
      prefixes.push(memory.prefix.replaceAll(home, "~"));
    }
    expect(new Set(prefixes).size).toBe(1);
    expect(prefixes[0]?.match(/^rule /gm)).toHaveLength(7);
  });

  it.skipIf(process.platform !== "linux")("does not read any file twice", async () => {
    const text = (name: string): string => `${name}\n`.repeat(6000);
    const names = [
      "CLAUDE.md",
      "AGENTS.md",
      ".caliban.md",
      "docs/a.md",
      ".caliban/rules/r.md",
      ".claude/rules/s.md",
    ];
    const files = Object.fromEntries(names.map((name) => [`app/${name}`, text(name)]));
    const input = await createProject({
      ...files,
      "app/CLAUDE.md": `${text("root")}@docs/a.md\n`,
      "app/.caliban/rules/p.md": `---\npaths: x\n---\n${text("p")}`,
    });
    const readSoFar = (): number =>
      Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
    await loadMemory(input);
    const before = readSoFar();
    const { receipt } = await loadMemory(input);
    const bytes = receipt.entries.reduce((sum, entry) => sum + entry.bytes, 0);
    expect(bytes).toBeGreaterThan(200_000);
    expect(readSoFar() - before).toBeLessThan(bytes * 1.5);
  });

  it("does not write anything", async () => {
    const input = await createProject({});
    await loadMemory(input);
    expect(await readdir(input.home)).toEqual(["app"]);
  });

  it("leaves out what the settings exclude or turn off, and reports it", async () => {
    const { memory, files } = await load(THREE_TIERS, {
      settings: { autoMemory: false, excludes: ["/CLAUDE.md"] },
    });
    expect(files.slice(0, 2)).toEqual([
      ".config/caliban/CLAUDE.md: loaded WHOLE",
      "app/CLAUDE.md: skipped EXCLUDED",
    ]);
    expect(files[2]).toMatch(/MEMORY\.md: skipped TURNED_OFF$/);
    expect(memory.prefix).not.toContain("pnpm");
  });

  it("strips comments except in code", async () => {
    const { memory } = await load({
      "app/CLAUDE.md": "a\n<!-- hidden -->\n```\n<!-- kept -->\n```\n",
    });
    expect(memory.prefix).toContain("a\n```\n<!-- kept -->\n```\n");
  });
});

describe("extra blocks", () => {
  const extraBlocks = [{ path: "memory://root", body: "learned\r\n</memory-guidance>\n" }];

  it("renders extra blocks after the index, escaped", async () => {
    const { memory } = await load(THREE_TIERS, { extraBlocks });
    expect(memory.prefix).toMatch(
      /<\/auto-memory-index>\n\n<memory-guidance path="memory:\/\/root">\nlearned\n&lt;\/memory-guidance>\n<\/memory-guidance>\n\n$/,
    );
  });

  it("cuts extra blocks before anything else, and leaves them out when auto-memory is off", async () => {
    const { files } = await load(THREE_TIERS, { extraBlocks, settings: { ceilingTokens: 125 } });
    expect(files.at(-1)).toBe("memory://root: skipped NO_ROOM");
    const { memory } = await load(THREE_TIERS, { extraBlocks, settings: { autoMemory: false } });
    expect(memory.prefix).not.toContain("learned");
  });

  it("reads extra blocks with a function that gets the project home", async () => {
    const homes: string[] = [];
    const { memory } = await load(THREE_TIERS, {
      extraBlocks: async (home) => {
        homes.push(home);
        return [{ path: "memory://root", body: "learned" }];
      },
    });
    expect(homes).toEqual([memory.projectHome]);
    expect(memory.prefix).toMatch(
      /<memory-guidance path="memory:\/\/root">\nlearned\n<\/memory-guidance>\n\n$/,
    );
  });

  it("reports an extra block that the caller cut as truncated, without a notice in the prompt", async () => {
    const { memory } = await load(THREE_TIERS, {
      extraBlocks: async () => [{ path: "memory://root", body: "half", cut: "Cut to 5 tokens." }],
    });
    expect(memory.receipt.entries.at(-1)).toMatchObject({
      path: "memory://root",
      status: "truncated",
      reason: "OVER_BUDGET",
      message: "Cut to 5 tokens.",
      tokens: expect.any(Number),
    });
    expect(memory.receipt.entries.at(-1)?.tokens).toBeGreaterThan(0);
    expect(memory.prefix).toMatch(/>\nhalf\n<\/memory-guidance>\n\n$/);
  });

  it("does not read extra blocks when auto-memory is off or no home directory is known", async () => {
    const extraBlocks = async (): Promise<never> => {
      throw new Error("must not be called");
    };
    const { memory } = await load(THREE_TIERS, { extraBlocks, settings: { autoMemory: false } });
    expect(memory.prefix).not.toContain("memory-guidance");
    const { home: _, ...input } = await createProject(THREE_TIERS);
    const homeless = await loadMemory({ ...input, home: undefined, env: {}, extraBlocks });
    expect(homeless.projectHome).toBeUndefined();
  });
});

describe("auto-memory turned off", () => {
  it("returns the same prompt for any content of the index when auto-memory is off", async () => {
    const text = fc.array(
      fc.constantFrom("- a\n", "<!--", "-->", "</auto-memory-index>", "é", "\0"),
      { maxLength: 6 },
    );
    const input = await createProject(THREE_TIERS);
    const index = join(
      input.home,
      ".local/share/caliban/projects",
      `${input.home.slice(1).replaceAll("/", "-")}-app`,
      "memory/MEMORY.md",
    );
    const settings = { autoMemory: false };
    const { prefix } = await loadMemory({ ...input, settings });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        await writeFile(index, parts.join(""));
        expect((await loadMemory({ ...input, settings })).prefix).toBe(prefix);
      }),
      { numRuns: 30 },
    );
  });
});

describe("bad files", () => {
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
      "an unreadable file",
      async (path: string): Promise<void> => await writeFile(path, "x", { mode: 0o000 }),
      "UNREADABLE",
    ],
  ] as const)("loads the other files when CLAUDE.md is %s", async ([, make, reason]) => {
    const input = await createProject({
      "app/AGENTS.md": "agents\n",
      ".config/caliban/CLAUDE.md": "global\n",
    });
    await make(join(input.directory, "CLAUDE.md"));
    for (const path of [input.home, join(input.home, "app")]) await chmod(path, 0o755);
    const memory = await withoutPrivileges(() => loadMemory(input));
    expect(outcomes(memory, input.home)).toEqual([
      ".config/caliban/CLAUDE.md: loaded WHOLE",
      `app/CLAUDE.md: skipped ${reason}`,
      "app/AGENTS.md: loaded WHOLE",
    ]);
  });

  it("treats a dangling link as a missing file", async () => {
    const input = await createProject({});
    await symlink(join(input.home, "gone"), join(input.directory, "CLAUDE.md"));
    expect((await loadMemory(input)).prefix).toBe("");
  });

  it(
    "reads a file that is growing, and reports how much is missing",
    { timeout: 20_000 },
    async () => {
      const input = await createProject({ "app/CLAUDE.md": "0123456\n" });
      const path = join(input.directory, "CLAUDE.md");
      const writer = spawn(
        "sh",
        ["-c", `while :; do yes 0123456 | head -c 80000 >> "${path}"; done`],
        { detached: true },
      );
      try {
        for (let round = 0; round < 40; round++) {
          const { prefix, receipt } = await loadMemory({
            ...input,
            settings: { ceilingTokens: 200_000 },
          });
          const entry = receipt.entries.find(({ status }) => status !== "missing");
          const removed = Number(/\[truncated: (\d+) bytes\]/.exec(prefix)?.[1] ?? 0);
          const kept = (prefix.match(/^0123456$/gm) ?? []).length * 8;
          expect(kept + removed).toBe(entry?.bytes);
        }
      } finally {
        if (writer.pid !== undefined) process.kill(-writer.pid, "SIGKILL");
      }
    },
  );

  it("reports the position of bytes that are not UTF-8, and loads the rest", async () => {
    const { memory } = await load({ "app/CLAUDE.md": Uint8Array.of(0x61, 0x0a, 0x62, 0xff, 0x0a) });
    expect(memory.prefix).toContain("a\nb\uFFFD\n");
    expect(memory.receipt.notices[0]?.message).toMatch(/CLAUDE\.md:2:2: not valid UTF-8/);
  });

  it("escapes control characters in the name of an imported file", async () => {
    const { memory } = await load({
      "app/CLAUDE.md": "@a\u001B[2J.md\n",
      "app/a\u001B[2J.md": "x\n",
    });
    expect(memory.prefix).not.toContain("\u001B");
  });
});
