// `npm test`: installs, builds, runs every check and every test.
// `pnpm check` passes --changed: every check, and only the tests that changed files can affect.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, finish, install, root, toolEnvironment } from "./workspace.mjs";

const isChangedOnly = process.argv.includes("--changed");
const cache = join(root, "node_modules", ".cache", "caliban");

/** One command per check; each counts as one test. */
const CHECKS = {
  build: [{ name: "lint", command: "oxlint", args: ["--deny-warnings"] }],
  source: [
    { name: "test and script types", command: "tsc", args: typecheck("tsconfig.test.json") },
    { name: "source types", command: "tsc", args: typecheck("tsconfig.json") },
    { name: "page types", command: "tsc", args: typecheck("packages/page/client/tsconfig.json") },
    { name: "unused code", command: "knip", args: ["--cache"] },
    { name: "language", command: "node", args: ["scripts/check-language.ts"] },
    { name: "format", command: "oxfmt", args: ["--check"] },
    { name: "changesets", command: "node", args: ["scripts/check-changesets.ts"] },
  ],
};

await install("test");
const checks = await runChecks();
const tests = await runTests();
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed;
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : "";
console.log(`${passed} passed, ${failed} failed${skipped}`);
if (isChangedOnly)
  console.log("Only affected tests ran, and no packaging tests; npm test runs all.");
process.exitCode = failed > 0 ? 1 : 0;

/**
 * Type-checks only what changed since the last run.
 * @param {string} config
 */
function typecheck(config) {
  const info = join(cache, config.replaceAll("/", "-").replace(/json$/, "tsbuildinfo"));
  return ["-p", config, "--incremental", "--tsBuildInfoFile", info];
}

/** Builds, and runs the checks. Two commands at a time, because each uses several cores only part of the time. */
async function runChecks() {
  const results = await Promise.all([
    build().then(() => runOneByOne(CHECKS.build)),
    runOneByOne(CHECKS.source),
  ]);
  const failures = results.flat().filter((isPassed) => !isPassed).length;
  return { passed: results.flat().length - failures, failed: failures };
}

/** @param {readonly { readonly name: string, readonly command: string, readonly args: readonly string[] }[]} commands */
async function runOneByOne(commands) {
  const results = [];
  for (const { name, command, args } of commands) {
    const started = Date.now();
    const { code, output } = await finish(command, args);
    results.push(code === 0);
    if (code === 0) console.log(`✓ ${name} (${Date.now() - started} ms)`);
    else console.log(`${output.trimEnd()}\n✗ ${name}: \`${[command, ...args].join(" ")}\` failed`);
  }
  return results;
}

async function runTests() {
  const report = join(cache, "tests.json");
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const code = await showRun("vitest", [
    "run",
    ...(isChangedOnly ? await affectedOnly() : []),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  // A test file that cannot be loaded fails the run without failing a test.
  const failures = code === 0 ? 0 : Math.max(1, numFailedTests);
  return { passed: numPassedTests, failed: failures, skipped: numPendingTests };
}

/** Changed files affect a test file that imports them. The packaging tests take too long after every change. */
async function affectedOnly() {
  return ["--project=!packaging", "--passWithNoTests", "--changed", await baseCommit()];
}

/** Where this branch left the main branch; without one, the last commit. */
async function baseCommit() {
  const { code, output } = await finish("git", ["merge-base", "HEAD", "origin/main"]);
  return code === 0 ? output.trim() : "HEAD";
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function showRun(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: toolEnvironment,
      shell: process.platform === "win32",
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
