import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { childEnvironment } from "../../../../test/support/child-environment.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";

/** Node itself closes the first sixteen. */
const DESCRIPTOR = 40;

/** Runs a process with an open directory, and returns what a process that it starts sees of that. */
async function listThroughDescriptor(way: "covered" | "as it is"): Promise<string> {
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, "secret"), "");
  const open = openSync(directory, "r");
  onTestFinished(() => closeSync(open));
  const script = join(import.meta.dirname, "cover-descriptors.process.ts");
  const { stdout } = spawnSync(process.execPath, [script, String(DESCRIPTOR), way], {
    env: childEnvironment(directory),
    stdio: ["ignore", "pipe", "inherit", ...Array(DESCRIPTOR - 3).fill("ignore"), open],
    encoding: "utf8",
  });
  return stdout;
}

describe.runIf(process.platform === "linux")("coverDescriptors", () => {
  it("keeps new processes from using what this one inherited", async () => {
    expect(await listThroughDescriptor("covered")).toBe("");
    expect(await listThroughDescriptor("as it is")).toBe("secret\n");
  });
});
