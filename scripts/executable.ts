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
  for (const target of targets) await compile(target);
} finally {
  await rm(staged, { recursive: true, force: true });
}

async function compile(target: Target): Promise<void> {
  const name = executableName(target);
  const path = join(OUT, name);
  const compiler = await fetchRuntime(hostTarget());
  const runtime = await fetchRuntime(target);
  const entries = ["bin.js", "pipeline-worker.js"].map((file) => join(staged, file));
  await run(compiler, [
    "build",
    ...FLAGS,
    `--target=${target.bunTarget}`,
    `--compile-executable-path=${runtime}`,
    ...entries,
    "--outfile",
    path,
  ]);
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
