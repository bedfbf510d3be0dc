import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/workspace.mjs";

const run = promisify(execFile);

/** The Node versions that published packages promise to run on. */
export const SUPPORTED = ["22.19.0", "24.21.0", "26.10.0"] as const;

/** A Node version on which the program must report what it needs. */
export const TOO_OLD = "20.20.2";

/** Returns the binary of a Node version. */
export async function nodeBinary(version: string): Promise<string> {
  const path = join("node/bin", process.platform === "win32" ? "node.exe" : "node");
  return await npmBinary({ name: "node", version, path });
}

interface NpmBinary {
  readonly name: string;
  readonly version: string;
  /** Inside `node_modules`. */
  readonly path: string;
}

/** Returns a program from an npm package, which is downloaded once and cached. */
export async function npmBinary({ name, version, path }: NpmBinary): Promise<string> {
  const directory = join(root, "node_modules/.cache/caliban", `${name}-${version}`);
  const binary = join(directory, "node_modules", path);
  if (!existsSync(binary)) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "package.json"), '{ "private": true }\n');
    await npm(["install", "--no-save", `${name}@${version}`], directory);
  }
  return binary;
}

/** Runs plain npm, as a user without pnpm would. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  const { stdout } = await run("npm", [...args, ...quiet], {
    cwd,
    shell: process.platform === "win32",
  });
  return stdout;
}
