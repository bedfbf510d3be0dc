// Runs on the oldest supported Node (20) before anything is installed, so it imports built-in modules only.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const isWindows = process.platform === "win32";
// Windows calls it Path; a second spelling would be a second variable.
const pathVariable =
  Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
const bin = join(root, "node_modules", ".bin");

/** What running caliban needs, and what only tests need in addition. */
const SCOPES = { start: [root], test: [root, join(root, "test")] };

/** The Node version of the workspace, whatever runs this script. */
export const workspaceNode = join(
  root,
  "node_modules",
  "node",
  "bin",
  isWindows ? "node.exe" : "node",
);

/** The environment of workspace tools: the commands and the Node of the workspace come first on PATH. */
export const toolEnvironment = {
  ...process.env,
  [pathVariable]: [bin, dirname(workspaceNode), process.env[pathVariable]].join(delimiter),
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};

/**
 * Installs and builds what is out of date. Any other start in this clone waits.
 * @param {keyof typeof SCOPES} scope
 */
export async function prepare(scope) {
  await exclusively(async () => {
    await ensureInstalled(scope);
    await ensureBuilt();
  });
}

/**
 * Installs what is out of date.
 * @param {keyof typeof SCOPES} scope
 */
export async function install(scope) {
  await exclusively(() => ensureInstalled(scope));
}

/** Builds what is out of date. */
export async function build() {
  await exclusively(ensureBuilt);
}

/** @param {() => Promise<void>} action */
async function exclusively(action) {
  const lock = join(root, ".turbo", "caliban.lock");
  mkdirSync(dirname(lock), { recursive: true });
  for (let isReported = false; !takeLock(lock); isReported = true) {
    if (!isReported) console.error("caliban: waiting for another install or build of this clone…");
    await new Promise((resolve) => setTimeout(resolve, 100));
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
    if (!isRunning(Number(readIfExists(lock)))) rmSync(lock, { force: true });
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  // Not written yet: the owner has created the file and not filled it.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} path */
function readIfExists(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/**
 * Installs what the lockfile names, unless that is installed already.
 * @param {keyof typeof SCOPES} scope
 */
async function ensureInstalled(scope) {
  const state = installedState();
  const isInstalled = [scope, "test"].some((each) => readIfExists(stampFile(each)) === state);
  if (existsSync(workspaceNode) && isInstalled) return;
  console.error("caliban: installing (once, and again when the lockfile changes)…");
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const directory of SCOPES[scope]) {
    // One at a time, because both write to the same store.
    await run("npx", ["--yes", packageManager, "install", "--frozen-lockfile", "--dir", directory]);
  }
  mkdirSync(dirname(stampFile(scope)), { recursive: true });
  writeFileSync(stampFile(scope), state);
}

/** @param {string} scope */
function stampFile(scope) {
  return join(root, "node_modules", ".cache", "caliban", `installed-${scope}`);
}

/** Builds every package that changed; turbo's cache has the others. */
async function ensureBuilt() {
  await run("turbo", ["run", "build", "--output-logs=errors-only", "--log-order=grouped"], {
    quiet: true,
  });
}

/**
 * Runs a command in the workspace. Its output goes to stderr, because stdout belongs to the program.
 * With `quiet`, the output is shown only when the command fails.
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
    // Commands are .cmd files on Windows, which only a shell starts; no argument comes from outside.
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

/** A hash of everything that decides the result of an install. */
function installedState() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  const manifests = ["packages", "apps", "examples"].flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((name) => join(group, name, "package.json")),
  );
  for (const name of [
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "test/package.json",
    ...manifests,
  ]) {
    const path = join(root, name);
    if (existsSync(path)) hash.update(`${name}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
