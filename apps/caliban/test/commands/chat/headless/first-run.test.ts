import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { childEnvironment } from "../../../../../../test/support/child-environment.ts";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";

const run = promisify(execFile);
const BIN = fileURLToPath(new URL("../../../../src/bin.ts", import.meta.url));

it(
  "remembers a fact on a bare machine, and answers from memory in a new process",
  { timeout: 30_000 },
  async () => {
    const home = await temporaryDirectory();
    const cwd = join(home, "app");
    await mkdir(join(cwd, ".git"), { recursive: true });
    const caliban = async (...args: readonly string[]): Promise<string> => {
      const given = ["--conditions=caliban:source", BIN, ...args];
      const running = run(process.execPath, given, { cwd, env: childEnvironment(home) });
      running.child.stdin?.end();
      return (await running).stdout;
    };
    expect(await caliban("-p", "remember that we deploy with pnpm ship")).toContain(
      "I will remember: we deploy with pnpm ship",
    );
    expect(await caliban("-p", "how do we deploy?")).toBe(
      "we deploy with pnpm ship\n\n(from memory: deploy-pnpm-ship, today)\n",
    );
  },
);
