import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { writeHome } from "../../../../test/support/write-files.ts";
import { loadMemory, type LoadMemoryInput } from "../../src/node/load-memory.ts";

async function project(
  files: Readonly<Record<string, string>>,
): Promise<LoadMemoryInput & { readonly home: string }> {
  const home = await temporaryDirectory();
  await writeHome(home, files);
  return { directory: join(home, "app"), env: { HOME: home }, platform: "linux", home };
}

const THREE_TIERS = {
  ".config/caliban/CLAUDE.md": "Be brief.\n",
  "app/CLAUDE.md": "Use pnpm.\n",
  ".local/share/caliban/projects/SLUG/memory/MEMORY.md": "# Memory index\n",
};

it("loads the three tiers of a workspace", async () => {
  const input = await project(THREE_TIERS);
  const { prefix, receipt } = await loadMemory(input);
  expect(receipt.entries.map(({ tier, status }) => [tier, status])).toEqual([
    ["global", "loaded"],
    ["project", "loaded"],
    ["auto", "loaded"],
  ]);
  expect(prefix.match(/^<[a-z-]+/gm)).toEqual([
    "<global-claude-md",
    "<project-claude-md",
    "<auto-memory-index",
  ]);
});

it("loads the same memory from a directory below the root", async () => {
  const input = await project({ ...THREE_TIERS, "app/src/index.ts": "" });
  const fromBelow = await loadMemory({ ...input, directory: join(input.directory, "src") });
  expect(fromBelow).toEqual(await loadMemory(input));
});

it("writes nothing", async () => {
  const input = await project({});
  await loadMemory(input);
  expect(await readdir(input.home)).toEqual(["app"]);
});

it("leaves out what the settings exclude or turn off, and says so", async () => {
  const input = await project(THREE_TIERS);
  const { prefix, receipt } = await loadMemory({
    ...input,
    settings: { autoMemory: false, excludes: ["/CLAUDE.md"] },
  });
  expect(receipt.entries.map(({ reason }) => reason)).toEqual(["WHOLE", "EXCLUDED", "TURNED_OFF"]);
  expect(prefix).not.toContain("pnpm");
});

it("lets a directory called CLAUDE.md cost that file only", async () => {
  const input = await project({
    ".config/caliban/CLAUDE.md": "Be brief.\n",
    "app/CLAUDE.md/x": "",
  });
  const { prefix, receipt } = await loadMemory(input);
  expect(prefix).toContain("Be brief.");
  expect(receipt.entries[1]).toMatchObject({
    tier: "project",
    status: "skipped",
    reason: "NOT_A_FILE",
  });
});
