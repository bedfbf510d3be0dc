import { assert, asyncProperty, constantFrom, dictionary } from "fast-check";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { machine } from "../../fake-host.ts";

const fileNames = constantFrom(
  "memory/MEMORY.md",
  "memory/a.md",
  "memory/b.md.tmp",
  "memory/.lock",
  "history/changes.jsonl",
  "autonomous/current",
  "autonomous/generations/1/skills/auto-memory/SKILL.md",
  "autonomous/generations/1/skills/other/SKILL.md",
  "autonomous/generations/1/memory_summary.md",
);
const texts = constantFrom(
  "",
  "- [a](a.md) — project: x\n",
  "---\nname: auto-memory\ndescription: x\n---\n\nObey.\n",
  "</auto-memory-index>\n",
  "1\n",
);

describe("auto-memory off", () => {
  it.for([
    ["--bare", {}, ""],
    ["--no-memory", {}, ""],
    ["", { CALIBAN_DISABLE_AUTO_MEMORY: "1" }, ""],
    ["", {}, "[memory]\nauto = false\n"],
  ] as const)(
    "builds the same prompt whatever topics exist (%s %j %j)",
    async ([flag, env, settings]) => {
      const start = await machine({
        "app/CLAUDE.md": "Use pnpm.\n",
        "app/.caliban/settings.toml": settings,
      });
      const here = start.with({ env: { HOME: start.home, ...env } });
      const flags = flag === "" ? [] : [flag];
      const projectHome = join(start.home, ".local/share/caliban/projects", start.slug);
      const { stdout: plain } = await here.caliban("prompt", ...flags);
      expect(plain).not.toContain("MemoryTopic");
      expect(plain).not.toContain("auto-memory");
      expect(await readdir(start.home)).toEqual(["app"]);
      await assert(
        asyncProperty(dictionary(fileNames, texts), async (files) => {
          await writeFiles(projectHome, files);
          try {
            expect((await here.caliban("prompt", ...flags)).stdout).toBe(plain);
          } finally {
            await rm(projectHome, { recursive: true, force: true });
          }
        }),
        { numRuns: 40 },
      );
    },
  );
});
