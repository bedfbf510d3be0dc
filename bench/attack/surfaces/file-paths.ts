import { execFileSync } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createToolRunner } from "../../../packages/agent-core/src/index.ts";
import { createFileTools } from "../../../packages/tools-builtin/src/node/index.ts";
import { LEAVING_LINKS, leavingPaths } from "../../../test/attack/file-paths.ts";
import { writeFiles } from "../../../test/support/write-files.ts";
import {
  type Attempt,
  contentOf,
  requireOrdinary,
  resultText,
  SECRET,
  type Surface,
  withDirectory,
} from "../surface.ts";

/** Paths that lead the file tools out of the workspace, or into a file that never ends. */
export const filePaths: Surface = {
  name: "paths: Read, Write, Edit, Grep, Glob",
  attack: async () =>
    await withDirectory(async (home) => {
      const root = join(home, "app");
      await writeFiles(home, {
        "outside/secret.txt": `${SECRET}\n`,
        "app/src/a.ts": "ordinary\n",
      });
      for (const [name, target] of LEAVING_LINKS) {
        await mkdir(dirname(join(root, name)), { recursive: true });
        await symlink(target, join(root, name));
      }
      execFileSync("mkfifo", [join(root, "pipe")]);
      const env = { HOME: home, ATTACK: SECRET };
      const tools = createFileTools({ root, home, env, findRipgrep: () => undefined });
      // Every call is allowed, so that nothing but the tool can refuse it.
      const policy = { allow: [], ask: [], deny: [], mode: "yolo" } as const;
      const { run } = createToolRunner({ tools, policy });
      const ordinary = await run({ name: "Read", input: { file_path: "src/a.ts" } });
      requireOrdinary(ordinary.text.includes("ordinary"), "a file cannot be read");
      const before = await contentOf(home, root);
      const attempts: Attempt[] = [];
      for (const path of leavingPaths(home)) {
        for (const { name, input } of calls(path)) {
          const text = await resultText(async () => await run({ name, input }));
          const isSeen = text.replaceAll(JSON.stringify(path).slice(1, -1), "").includes(SECRET);
          const succeeded = isSeen || (await contentOf(home, root)) !== before;
          attempts.push({ name: `${name} ${path.slice(0, 80)}`, succeeded });
        }
      }
      return attempts;
    }),
};

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

function calls(path: string): readonly Call[] {
  return [
    { name: "Read", input: { file_path: path } },
    { name: "Write", input: { file_path: path, content: "x" } },
    { name: "Edit", input: { file_path: path, old_string: SECRET, new_string: "x" } },
    { name: "Grep", input: { pattern: "must-stay", path } },
    { name: "Grep", input: { pattern: "must-stay", path: dirname(path) } },
    { name: "Grep", input: { pattern: "must-stay", glob: path } },
    { name: "Glob", input: { pattern: "*secret*", path: dirname(path) } },
    { name: "Glob", input: { pattern: path } },
  ];
}
