import { execFile } from "node:child_process";
import { readdirSync, renameSync, symlinkSync } from "node:fs";
import { chmod, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { builtInSearch } from "../../../src/node/search/engine/built-in-search.ts";
import { findRipgrep } from "../../../src/node/search/engine/ripgrep.ts";
import type { FoundFile } from "../../../src/node/search/engine/search-request.ts";
import { walkFiles } from "../../../src/node/search/walk/walk-files.ts";
import { completeWorkspace } from "../../../src/node/tool-workspace.ts";
import { workspaceTools, type WorkspaceTools } from "../../support/workspace-tools.ts";

const FILES = { "secret/f": "hit private\n", "secret/hidden": "", "app/dir/f": "hit mine\n" };

/** Replaces `dir` by a link to a directory outside. */
function swap({ home, root }: WorkspaceTools): void {
  renameSync(join(root, "dir"), join(root, "moved"));
  symlinkSync(join(home, "secret"), join(root, "dir"));
}

const SEARCH = {
  pattern: "hit",
  ignoreCase: false,
  isDirectory: true,
  ignoreNameCase: false,
  contextLines: 0,
  maxMatches: 9,
  timeoutMs: 20_000,
};

describe("a directory that is swapped for a link", () => {
  it("walkFiles does not list a directory that became a link after its parent was listed", async () => {
    const session = await workspaceTools(FILES);
    const { root } = session;
    const names: string[] = [];
    let steps = 0;
    // Called once before the root is listed, then before `dir` is.
    const isOver = (): boolean => {
      if (++steps === 2) swap(session);
      return false;
    };
    for await (const name of walkFiles({ directory: root, top: root, ignoreCase: false, isOver })) {
      names.push(name);
    }
    expect(names).toEqual([]);
    expect(readdirSync(join(root, "dir"))).toEqual(["f", "hidden"]);
  });

  it("builtInSearch does not search a directory that became a link after it was listed", async () => {
    const session = await workspaceTools(FILES);
    const { root } = session;
    const includes = (name: string): boolean => {
      if (name === "dir/f") swap(session);
      return true;
    };
    const found: FoundFile[] = [];
    const onFile = (file: FoundFile): "more" => {
      found.push(file);
      return "more";
    };
    const end = await builtInSearch({ ...SEARCH, target: root, top: root, includes }, onFile);
    expect({ end, found }).toEqual({ end: { kind: "done" }, found: [] });
  });

  it("Grep does not show what ripgrep found behind a link", async () => {
    const event = (type: string, data: object): string => JSON.stringify({ type, data });
    const found = (text: string): string =>
      [
        event("begin", { path: { text: "./dir/f" } }),
        event("match", { line_number: 1, lines: { text: `${text}\n` } }),
        event("end", { binary_offset: null }),
        event("summary", {}),
      ].join("\n");
    for (const [text, isShown] of [
      ["hit private", false],
      ["hit mine", true],
    ] as const) {
      const session = await workspaceTools(FILES, (home) => ({
        findRipgrep: () => join(home, "rg"),
      }));
      const program = join(session.home, "rg");
      await writeFile(program, `#!/bin/sh\ncat <<'EOF'\n${found(text)}\nEOF\n`);
      await chmod(program, 0o755);
      const shown = await session.text("Grep", { pattern: "hit" });
      expect(shown.includes(text)).toBe(isShown);
    }
  });
});

/** Replaces `dir` by a link to a directory outside, and restores it, as fast as it can. */
const SWAPPER = `
import { existsSync, renameSync, rmSync } from "node:fs";
process.chdir(process.argv[2]);
const attempt = (action) => {
  try {
    action();
    return true;
  } catch {
    return false;
  }
};
const move = (from, to) => {
  // A writer may just have created the directory again.
  const isMoved = attempt(() => renameSync(from, to));
  if (!isMoved && to === "dir") attempt(() => rmSync("dir", { recursive: true }));
};
while (!existsSync(process.argv[3])) {
  move("dir", "moved");
  move("other", "dir");
  move("dir", "other");
  move("moved", "dir");
}
`;

const MIN_ATTEMPTS = process.env["FULL"] === "1" ? 2_000 : 40;
/** Enough for a slow machine to meet both states. */
const MAX_ATTEMPTS = 20_000;

/** Repeats an action while another process swaps the directory, until it has seen both states. */
async function whileSwapping(
  action: (tools: WorkspaceTools, attempt: number) => Promise<void>,
  { hasSeenBoth, ripgrep }: { readonly hasSeenBoth: () => boolean; readonly ripgrep?: string },
): Promise<WorkspaceTools> {
  const session = await workspaceTools(FILES, () => ({ findRipgrep: () => ripgrep }));
  const { home, root } = session;
  const stop = join(home, "stop");
  await symlink(join(home, "secret"), join(root, "other"));
  await writeFile(join(home, "swap.mjs"), SWAPPER);
  const swapping = promisify(execFile)(process.execPath, [join(home, "swap.mjs"), root, stop]);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt >= MIN_ATTEMPTS && hasSeenBoth()) break;
    await action(session, attempt);
  }
  await writeFile(stop, "");
  await swapping;
  expect(hasSeenBoth()).toBe(true);
  return session;
}

const RIPGREP = findRipgrep(completeWorkspace({ root: "/nowhere", env: process.env }));

describe("a directory that another process keeps swapping for a link", () => {
  it("never leads Read or Write to a file outside the workspace", { timeout: 60_000 }, async () => {
    const texts = new Set<string>();
    const hasSeen = (part: string): boolean => [...texts].some((text) => text.includes(part));
    const { home } = await whileSwapping(
      async ({ call }, attempt) => {
        texts.add((await call("Read", { file_path: "dir/f" })).text);
        texts.add((await call("Write", { file_path: "dir/new", content: "x" })).text);
        const file_path = `dir/made-${attempt}/below/f`;
        texts.add((await call("Write", { file_path, content: "x" })).text);
      },
      { hasSeenBoth: () => hasSeen("mine") && hasSeen("outside the workspace") },
    );
    expect(hasSeen("private")).toBe(false);
    expect(await readdir(join(home, "secret"))).toEqual(["f", "hidden"]);
  });

  it.for(RIPGREP === undefined ? [undefined] : [undefined, RIPGREP])(
    "never leads Grep or Glob outside the workspace (ripgrep: %s)",
    { timeout: 60_000 },
    async (ripgrep) => {
      const texts = new Set<string>();
      const hasSeen = (part: string): boolean => [...texts].some((text) => text.includes(part));
      await whileSwapping(
        async ({ call }) => {
          texts.add((await call("Grep", { pattern: "hit" })).text);
          texts.add((await call("Glob", { pattern: "**" })).text);
        },
        {
          hasSeenBoth: () => hasSeen("dir/f") && hasSeen("moved/f"),
          ...(ripgrep === undefined ? {} : { ripgrep }),
        },
      );
      expect(hasSeen("private")).toBe(false);
      expect(hasSeen("hidden")).toBe(false);
    },
  );
});
