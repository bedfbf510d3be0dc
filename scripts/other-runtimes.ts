import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { npm, npmBinary } from "../test/packaging/runtimes.ts";
import { packAll } from "../test/packaging/tarballs.ts";
import { EXERCISES } from "../test/runtimes/exercises.ts";
import { BUN_VERSION } from "./executable/targets.ts";
import { root } from "./workspace.mjs";

// `pnpm runtimes`: installs the packages as npm would, and runs the exercises of the root entries in Node, Bun and Deno.
// Not a part of `npm test`, because Bun and Deno are large.

const run = promisify(execFile);
const isWindows = process.platform === "win32";

interface Runtime {
  readonly name: string;
  readonly version: string;
  readonly args: (project: string) => readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  { name: "node", version: "22.19.0", args: () => [] },
  { name: "bun", version: BUN_VERSION, args: () => ["run"] },
  // Nothing but reading the packages, and what two dependencies ask the system for: yaml (variables) and ai (host name).
  {
    name: "deno",
    version: "2.9.6",
    args: (project) => [
      "run",
      "--no-prompt",
      "--no-remote",
      "--node-modules-dir=manual",
      `--allow-read=${project}`,
      "--allow-env=LOG_TOKENS,LOG_STREAM",
      "--allow-sys=hostname",
    ],
  },
];

const project = await mkdtemp(join(tmpdir(), "caliban-runtimes-"));
try {
  await installPackages();
  let isPassed = true;
  for (const runtime of RUNTIMES) isPassed = (await exercise(runtime)) && isPassed;
  process.exitCode = isPassed ? 0 : 1;
} finally {
  await rm(project, { recursive: true, force: true });
}

async function installPackages(): Promise<void> {
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const tarballs = [...(await packAll(project)).values()];
  const peers = tarballs.flatMap(({ source }) =>
    Object.entries(source.manifest.peerDependencies ?? {}).map(
      ([name, range]) => `${name}@${range}`,
    ),
  );
  await npm(["install", ...tarballs.map(({ path }) => path), ...new Set(peers)], project);
  for (const file of ["exercises.ts", "in-runtime.ts"]) {
    await copyFile(join(root, "test/runtimes", file), join(project, file));
  }
}

async function exercise({ name, version, args }: Runtime): Promise<boolean> {
  const path = join(".bin", isWindows ? `${name}.cmd` : name);
  const binary = await npmBinary({ name, version, path });
  const file = join(project, "in-runtime.ts");
  const { stdout, stderr } = await run(binary, [...args(project), file], {
    cwd: project,
    shell: isWindows,
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => error);
  const passed = stdout.split("\n").filter((line) => line.startsWith("✓")).length;
  console.log(`${name} ${version}: ${passed} of ${EXERCISES.length} exercises passed`);
  if (passed === EXERCISES.length) return true;
  console.log(`${stdout}\n${stderr}`);
  return false;
}
