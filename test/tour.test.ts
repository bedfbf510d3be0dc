import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { childEnvironment } from "./support/child-environment.ts";
import { PROGRAM_LINE } from "./support/run-caliban.ts";
import { showAsHome, withoutTokenCounts } from "./support/show-as-home.ts";
import { fencedBlocks } from "./support/markdown-blocks.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const run = promisify(execFile);
const TOUR_HOME = "/tmp/tour";

interface Step {
  readonly command: string;
  readonly output: string;
}

it.skipIf(process.platform === "win32")("prints what the tour in the README shows", async () => {
  const tour = fencedBlocks(await readFile(join(root, "README.md"), "utf8")).find(
    ({ language }) => language === "console",
  );
  const steps = stepsOf(tour?.code ?? "");
  expect(steps.length).toBeGreaterThan(5);
  const home = await temporaryDirectory();
  const printed = await runSteps(steps, home);
  expect(
    steps.map(({ command }, index) => ({
      command,
      output: withoutTokenCounts(showAsHome(printed[index] ?? "", { home, shown: TOUR_HOME })),
    })),
  ).toEqual(steps.map(({ command, output }) => ({ command, output: withoutTokenCounts(output) })));
});

function stepsOf(code: string): readonly Step[] {
  return code
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...output] = step.split("\n");
      return { command, output: output.join("\n") };
    });
}

/** Runs all steps in one shell, as a user would, and prints a mark after each. */
async function runSteps(steps: readonly Step[], home: string): Promise<readonly string[]> {
  const mark = "-- end of step --";
  const script = [
    `caliban() { ${PROGRAM_LINE} "$@"; }`,
    // A user has a terminal here, which pipes nothing in.
    "exec 2>&1 < /dev/null",
    ...steps.flatMap(({ command }) => [command.replace(TOUR_HOME, home), `echo "${mark}"`]),
  ].join("\n");
  const { stdout } = await run("bash", ["-c", script], {
    cwd: home,
    env: childEnvironment(home),
  });
  return stdout.split(`${mark}\n`);
}
