import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "../../../../../test/support/child-environment.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";

/** Node itself closes the first sixteen. */
const DESCRIPTOR = 40;

describe.runIf(process.platform === "linux")("runCommand", () => {
  it("passes no open directory of the program that started this one to a confined command", async () => {
    const directory = await temporaryDirectory();
    writeFileSync(join(directory, "secret"), "");
    const open = openSync(directory, "r");
    onTestFinished(() => closeSync(open));
    const script = join(import.meta.dirname, "run-command.process.ts");
    const options = ["--conditions=caliban:source", "--disable-warning=ExperimentalWarning"];
    const { stdout } = spawnSync(process.execPath, [...options, script, String(DESCRIPTOR)], {
      env: childEnvironment(directory),
      stdio: ["ignore", "pipe", "inherit", ...Array(DESCRIPTOR - 3).fill("ignore"), open],
      encoding: "utf8",
    });
    expect(stdout).toBe("done\n");
  });
});
