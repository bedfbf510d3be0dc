import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/workspace.mjs";

const run = promisify(execFile);

/** The Node versions that published packages promise to run on. */
export const SUPPORTED = ["22.19.0", "24.21.0", "26.10.0"] as const;

/** One that they do not, and must say so. */
export const TOO_OLD = "20.20.2";

/** The binary of a Node version, from the npm package `node`; fetched once and kept beside the other caches. */
export async function nodeBinary(version: string): Promise<string> {
  const directory = join(root, "node_modules/.cache/caliban", `node-${version}`);
  const binary = join(
    directory,
    "node_modules/node/bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  if (!existsSync(binary)) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "package.json"), '{ "private": true }\n');
    await npm(["install", "--no-save", `node@${version}`], directory);
  }
  return binary;
}

/** Plain npm, as a stranger has it. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const { stdout } = await run("npm", [...args, ...quiet], {
    cwd,
    shell: process.platform === "win32",
  });
  return stdout;
}
