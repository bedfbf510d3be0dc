import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { type ImportReport, importSource } from "../../../src/node/exchange/import-source.ts";
import { findImportSource } from "../../../src/node/exchange/sources/find-source.ts";
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";

const AUTHOR = { who: "person" } as const;

/** Imports from a home directory with these files. */
async function importFrom(
  name: Parameters<typeof findImportSource>[0],
  files: Readonly<Record<string, string>>,
  options: { readonly isPreview?: boolean; readonly includeExcluded?: boolean } = {},
): Promise<{ readonly home: string; readonly report: ImportReport }> {
  const home = await temporaryDirectory();
  await writeFiles(home, files);
  const environment = { env: {}, platform: "linux", home };
  const source = findImportSource(name, {
    ...environment,
    ...options,
    workspaceRoot: "/home/me/app",
    path: join(home, "notes"),
  });
  const store = createFsTopicStore({ directory: join(home, "memory") });
  const report = await importSource({
    ...environment,
    ...options,
    source,
    store,
    globalFile: join(home, "config/CLAUDE.md"),
    author: AUTHOR,
  });
  return { home, report };
}

const kinds = ({ topics }: ImportReport): readonly unknown[] =>
  topics.map(({ file, result }) => [file.name, result?.kind]);

describe("importSource", () => {
  it("imports the files of a directory and reports problems of their headers", async () => {
    const { home, report } = await importFrom("dir", { "notes/deploy.md": "Run it.\n" });
    expect(kinds(report)).toEqual([["deploy", "imported"]]);
    expect(report.topics[0]?.headerProblem).toMatchObject({ line: 1 });
    expect(report.change).toBeDefined();
    expect(await readFile(join(home, "memory/deploy.md"), "utf8")).toBe("Run it.\n");
  });

  it("changes nothing in a preview", async () => {
    const files = { "notes/deploy.md": "Run it.\n", ".codex/AGENTS.md": "Be brief.\n" };
    const { home, report } = await importFrom("dir", files, { isPreview: true });
    expect(kinds(report)).toEqual([["deploy", "imported"]]);
    await expect(readFile(join(home, "memory/deploy.md"))).rejects.toThrow("ENOENT");
  });

  it("returns no result for a file that is not text", async () => {
    const { report } = await importFrom("dir", { "notes/tar.md": "a\0b", "notes/b.md": "b\n" });
    expect(kinds(report)).toEqual([
      ["b", "imported"],
      ["tar", undefined],
    ]);
    expect(report.topics[1]?.file).toMatchObject({ problem: { code: "NOT_TEXT" } });
  });

  it("imports Codex files of other projects only on request", async () => {
    const files = {
      ".codex/memories/rollout_summaries/here.md": "cwd: /home/me/app/src\n",
      ".codex/memories/rollout_summaries/there.md": "cwd: /home/me/other\n",
    };
    expect(kinds((await importFrom("codex", files)).report)).toEqual([
      ["here", "imported"],
      ["there", undefined],
    ]);
    const all = await importFrom("codex", files, { includeExcluded: true });
    expect(kinds(all.report)).toEqual([
      ["here", "imported"],
      ["there", "imported"],
    ]);
  });

  it("imports instructions with a line while there is no global file", async () => {
    const files = { ".codex/AGENTS.md": "Be brief.\n" };
    const { home, report } = await importFrom("codex", files);
    expect(report.instructions).toEqual([
      { path: join(home, ".codex/AGENTS.md"), line: "@~/.codex/AGENTS.md", blockedBy: undefined },
    ]);
    expect(await readFile(join(home, "config/CLAUDE.md"), "utf8")).toBe("@~/.codex/AGENTS.md\n");
  });

  it("leaves the line to the user when the global file exists", async () => {
    const files = { ".codex/AGENTS.md": "Be brief.\n", "config/CLAUDE.md": "Mine.\n" };
    const { home, report } = await importFrom("codex", files);
    expect(report.instructions).toMatchObject([{ blockedBy: "global-file" }]);
    expect(await readFile(join(home, "config/CLAUDE.md"), "utf8")).toBe("Mine.\n");
  });
});
