// `npm test`: installs, builds, runs every check and every test.
// `pnpm check` passes --changed: every check, and only the tests that changed files can affect.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { finish, prepare, root, toolEnvironment } from "./workspace.mjs";

const isChangedOnly = process.argv.includes("--changed");

/** One command per check; each counts as one test. */
const CHECKS = [
  { name: "format", command: "oxfmt", args: ["--check"] },
  { name: "lint", command: "oxlint", args: ["--deny-warnings"] },
  { name: "source types", command: "tsc", args: ["-p", "tsconfig.json"] },
  { name: "test and script types", command: "tsc", args: ["-p", "tsconfig.test.json"] },
  { name: "unused code", command: "knip", args: [] },
  { name: "changesets", command: "node", args: ["scripts/check-changesets.ts"] },
  { name: "language", command: "node", args: ["scripts/check-language.ts"] },
];

await prepare("test");
const checks = await runChecks();
const tests = await runTests();
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed;
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : "";
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed > 0 ? 1 : 0;

async function runChecks() {
  let failures = 0;
  for (const { name, command, args } of CHECKS) {
    const started = Date.now();
    // One at a time, because each uses every core.
    const { code, output } = await finish(command, args);
    if (code === 0) {
      console.log(`✓ ${name} (${Date.now() - started} ms)`);
      continue;
    }
    failures += 1;
    console.log(`${output.trimEnd()}\n✗ ${name}: \`${[command, ...args].join(" ")}\` failed`);
  }
  return { passed: CHECKS.length - failures, failed: failures };
}

async function runTests() {
  const report = join(root, "node_modules", ".cache", "caliban", "tests.json");
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const code = await showRun("vitest", [
    "run",
    ...(isChangedOnly ? ["--passWithNoTests", "--changed", await baseCommit()] : []),
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
