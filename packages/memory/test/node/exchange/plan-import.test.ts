import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import {
  type ImportPlan,
  planImport,
  type PlanImportInput,
} from "../../../src/node/exchange/plan-import.ts";
import type { ImportRow } from "../../../src/node/exchange/import-rows.ts";
import { openTopicStore } from "../../../src/node/open-topic-store.ts";

interface Planned {
  readonly home: string;
  readonly plan: ImportPlan;
}

/** Plans an import from a home directory with these files. */
async function planFrom(
  from: PlanImportInput["from"],
  files: Readonly<Record<string, string>>,
  options: Pick<PlanImportInput, "includeExcluded"> = {},
): Promise<Planned> {
  const home = await temporaryDirectory();
  await writeFiles(home, { "app/.git/HEAD": "", ...files });
  const topics = await openTopicStore({
    workspace: join(home, "app"),
    env: { XDG_CONFIG_HOME: join(home, "config") },
    platform: "linux",
    home,
    directory: join(home, "memory"),
  });
  const plan = await planImport({ topics, from, path: join(home, "notes"), ...options });
  return { home, plan };
}

const outcomes = (rows: readonly ImportRow[]): readonly unknown[] =>
  rows.map(({ name, outcome }) => [name, outcome]);

describe("planImport", () => {
  it("imports the files of a directory and reports problems of their headers", async () => {
    const { home, plan } = await planFrom("dir", { "notes/deploy.md": "Run it.\n" });
    expect(outcomes(plan.rows)).toEqual([["deploy", "to copy"]]);
    await expect(readFile(join(home, "memory/deploy.md"))).rejects.toThrow("ENOENT");
    const { rows, change } = await plan.run();
    expect(outcomes(rows)).toEqual([["deploy", "copied"]]);
    expect(rows[0]?.headerProblem).toMatchObject({ line: 1 });
    expect(rows[0]?.message).toBe(rows[0]?.headerProblem?.message);
    expect(change).toBeDefined();
    expect(await readFile(join(home, "memory/deploy.md"), "utf8")).toBe("Run it.\n");
  });

  it("copies no file that is not text", async () => {
    const { plan } = await planFrom("dir", { "notes/tar.md": "a\0b", "notes/b.md": "b\n" });
    expect(outcomes((await plan.run()).rows)).toEqual([
      ["b", "copied"],
      ["tar", "not copied"],
    ]);
  });

  it("imports Codex files of other projects only on request", async () => {
    const home = await temporaryDirectory();
    const files = {
      ".codex/memories/rollout_summaries/here.md": `cwd: ${home}/app/src\n`,
      ".codex/memories/rollout_summaries/there.md": "cwd: /home/me/other\n",
    };
    await writeFiles(home, { "app/.git/HEAD": "", ...files });
    const topics = await openTopicStore({ workspace: join(home, "app"), env: {}, home });
    const plan = await planImport({ topics, from: "codex" });
    expect(outcomes(plan.rows)).toEqual([
      ["here", "to copy"],
      ["there", "left out"],
    ]);
    const all = await planImport({ topics, from: "codex", includeExcluded: true });
    expect(outcomes(all.rows)).toEqual([
      ["here", "to copy"],
      ["there", "to copy"],
    ]);
  });

  it("imports instructions with a line while there is no global file", async () => {
    const files = { ".codex/AGENTS.md": "Be brief.\n" };
    const { home, plan } = await planFrom("codex", files);
    expect(plan.rows).toEqual([
      {
        outcome: "to import",
        name: "instructions",
        path: join(home, ".codex/AGENTS.md"),
        message: "with a line in ~/config/caliban/CLAUDE.md",
      },
    ]);
    expect(outcomes((await plan.run()).rows)).toEqual([["instructions", "imported"]]);
    const written = await readFile(join(home, "config/caliban/CLAUDE.md"), "utf8");
    expect(written).toBe("@~/.codex/AGENTS.md\n");
  });

  it("leaves the line to the user when the global file exists", async () => {
    const files = { ".codex/AGENTS.md": "Be brief.\n", "config/caliban/CLAUDE.md": "Mine.\n" };
    const { home, plan } = await planFrom("codex", files);
    const { rows } = await plan.run();
    expect(outcomes(rows)).toEqual([["instructions", "left to you"]]);
    expect(rows[0]?.message).toContain("add the line @~/.codex/AGENTS.md to ~/config/caliban");
    expect(await readFile(join(home, "config/caliban/CLAUDE.md"), "utf8")).toBe("Mine.\n");
  });
});
