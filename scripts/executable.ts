// `pnpm executable`: one file with the program and its runtime, for machines without Node. Writes to dist/executable/.
// `--target NAME` builds for another platform, as often as given; `--target all` for each.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import { fetchRuntime } from "./executable/fetch-runtime.ts";
import { stageProgram } from "./executable/stage-program.ts";
import {
  executableName,
  findTarget,
  hostTarget,
  type Target,
  TARGETS,
} from "./executable/targets.ts";
import { build as buildPackages, root } from "./workspace.mjs";

const run = promisify(execFile);

const BUILT = join(root, "apps/caliban/dist");
const OUT = join(root, "dist/executable");
const LICENSES = "THIRD-PARTY-LICENSES.txt";

const FLAGS = [
  "--compile",
  "--format=esm",
  // A command loads its own chunks, with the code in them compiled.
  "--splitting",
  "--bytecode",
  "--minify",
  // Files of a repository are data: they must not set variables or options of the runtime.
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
];

/** What users run most. Without a key, the offline model answers. */
const USUAL_COMMANDS = [["-p", "hello"], ["prompt"], ["memory"]];

const { values: flags } = parseArgs({
  options: { target: { type: "string", multiple: true, default: [hostTarget().name] } },
});
const targets = flags.target.includes("all") ? TARGETS : flags.target.map(findTarget);
const staged = await mkdtemp(join(tmpdir(), "caliban-executable-"));
try {
  await buildPackages();
  await stageProgram(BUILT, staged);
  await mkdir(OUT, { recursive: true });
  await copyFile(join(BUILT, LICENSES), join(OUT, LICENSES));
  const order = await recordOrder(staged);
  for (const target of targets) await build(target, order);
} finally {
  await rm(staged, { recursive: true, force: true });
}

/**
 * Runs usual commands in a first executable, and returns the files in which it wrote which functions they need: these
 * will be next to each other, so that fewer pages of the file are read.
 */
async function recordOrder(directory: string): Promise<readonly string[]> {
  const path = join(directory, executableName(hostTarget()));
  await compile(hostTarget(), { path, more: [] });
  const files: string[] = [];
  for (const [at, args] of USUAL_COMMANDS.entries()) {
    const order = join(directory, `order-${at}`);
    // A home directory of its own, so that nothing of the user is read.
    const env = { HOME: directory, USERPROFILE: directory, BUN_BYTECODE_ORDER_OUT: order };
    await run(path, args, { cwd: directory, env });
    files.push(order);
  }
  return files;
}

async function build(target: Target, order: readonly string[]): Promise<void> {
  const name = executableName(target);
  const path = join(OUT, name);
  await compile(target, { path, more: [`--bytecode-order=${order.join(",")}`] });
  // Fails here if the result does not even start.
  if (target === hostTarget()) await run(path, ["--version"]);
  const digest = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  // The format that `sha256sum --check` reads.
  await writeFile(`${path}.sha256`, `${digest}  ${name}\n`);
  const { size } = await stat(path);
  console.log(`${relative(root, path)}  ${Math.round(size / 1e6)} MB`);
}

async function compile(
  target: Target,
  { path, more }: { readonly path: string; readonly more: readonly string[] },
): Promise<void> {
  const compiler = await fetchRuntime(hostTarget());
  const runtime = await fetchRuntime(target);
  const entries = ["bin.js", "pipeline-worker.js"].map((file) => join(staged, file));
  await run(compiler, [
    "build",
    ...FLAGS,
    ...more,
    `--target=${target.bunTarget}`,
    `--compile-executable-path=${runtime}`,
    ...entries,
    "--outfile",
    path,
  ]);
}
