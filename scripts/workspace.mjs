// Runs on the oldest Node we start on (20) before anything is installed: built-in modules only.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const isWindows = process.platform === "win32";
// Windows calls it Path, and a second spelling beside it would be another variable.
const pathVariable =
  Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
const bin = join(root, "node_modules", ".bin");
const stamp = join(root, "node_modules", ".cache", "caliban", "installed");

/** The Node that the workspace brings, whatever runs this script. */
export const workspaceNode = join(
  root,
  "node_modules",
  "node",
  "bin",
  isWindows ? "node.exe" : "node",
);

/** The environment in which workspace tools run: their own commands and their own Node first. */
export const toolEnvironment = {
  ...process.env,
  [pathVariable]: [bin, dirname(workspaceNode), process.env[pathVariable]].join(delimiter),
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};

/** Installs and builds what is out of date, while any other start in this clone waits. */
export async function prepare() {
  await exclusively(async () => {
    await ensureInstalled();
    await ensureBuilt();
  });
}

/** @param {() => Promise<void>} action */
async function exclusively(action) {
  const lock = join(root, ".turbo", "caliban.lock");
  mkdirSync(dirname(lock), { recursive: true });
  for (let said = false; !takeLock(lock); said = true) {
    if (!said) console.error("caliban: waiting for another install or build of this clone…");
    await new Promise((resolve) => setTimeout(resolve, 100)); // oxlint-disable-line no-await-in-loop
  }
  try {
    await action();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    if (!isRunning(Number(readIfThere(lock)))) rmSync(lock, { force: true });
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  // Not written yet: its owner is between making the file and writing to it.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Installs what the lockfile names, unless exactly that is installed already. */
async function ensureInstalled() {
  const wanted = installedState();
  if (existsSync(workspaceNode) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted)
    return;
  console.error("caliban: installing (once, and again when the lockfile changes)…");
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await run("npx", ["--yes", packageManager, "install", "--frozen-lockfile"]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Builds every package that changed; the rest comes from turbo's cache. */
async function ensureBuilt() {
  await run("turbo", ["run", "build", "--output-logs=errors-only", "--log-order=grouped"], {
    quiet: true,
  });
}

/**
 * Runs a command in the workspace. What it prints goes to stderr, so that stdout stays the program's own.
 * With `quiet` it is shown only when the command fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ readonly quiet?: boolean }} [options]
 */
export async function run(command, args, { quiet = false } = {}) {
  const { code, output } = await finish(command, args, quiet ? "pipe" : "stderr");
  if (code === 0) return;
  process.stderr.write(output);
  console.error(`caliban: \`${[command, ...args].join(" ")}\` failed with exit code ${code}`);
  process.exit(1);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {"pipe" | "stderr"} output
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
export function finish(command, args, output = "pipe") {
  return new Promise((resolve, reject) => {
    const stdio = output === "pipe" ? "pipe" : process.stderr;
    // Commands are .cmd files on Windows, which only a shell starts; every argument here is our own.
    const child = spawn(command, args, {
      cwd: root,
      env: toolEnvironment,
      shell: isWindows,
      stdio: ["ignore", stdio, stdio],
    });
    /** @type {string[]} */
    const printed = [];
    child.stdout?.on("data", (chunk) => printed.push(String(chunk)));
    child.stderr?.on("data", (chunk) => printed.push(String(chunk)));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output: printed.join("") }));
  });
}

/** Everything that decides what an install would give. */
function installedState() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  const manifests = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((name) => join(group, name, "package.json")),
  );
  for (const name of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    const path = join(root, name);
    if (existsSync(path)) hash.update(`${name}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
