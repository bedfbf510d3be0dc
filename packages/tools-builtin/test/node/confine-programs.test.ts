import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProgramSandbox } from "../../src/node/confine-programs.ts";
import type { SandboxSettings } from "../../src/node/tool-workspace.ts";
import {
  createSandboxHome,
  hasBubblewrap,
  SECRET,
  type SandboxHome,
} from "../support/sandbox-home.ts";

/** Runs a program as a server would be, and returns what it prints. */
async function runProgram(
  { home, root, env }: SandboxHome,
  script: string,
  settings: Partial<SandboxSettings> = {},
): Promise<string> {
  const confine = createProgramSandbox({ root, home, env, sandbox: { mode: "auto", ...settings } });
  const program = { command: "sh", args: ["-c", script], env, cwd: join(root, "sub") };
  for (;;) {
    const confined = await confine(program);
    if ("reason" in confined) return confined.reason;
    const { command, args, cwd, env: inside } = confined;
    const options = { cwd, env: inside, encoding: "utf8", input: "" } as const;
    const { stdout, stderr } = spawnSync(command, args, options);
    // A socket of another test was removed at the same moment.
    if (!stderr.includes("bwrap: Can't create file")) return stdout;
  }
}

describe.skipIf(!hasBubblewrap)("a program that runs in the sandbox", () => {
  it("reads the workspace, and neither changes it nor reads secrets", async () => {
    const home = await createSandboxHome();
    const before = home.snapshot();
    const script = "pwd; cat a.ts; cat; (echo x > a.ts; cat ~/.ssh/*) 2>&1 || true";
    const output = await runProgram(home, script);
    expect(output).toContain(`${join(home.root, "sub")}\nexport {};\n`);
    expect(output).toContain("Read-only file system");
    expect(output).not.toContain(SECRET);
    expect(home.snapshot()).toBe(before);
  });

  it("changes what the user allows", async () => {
    const home = await createSandboxHome();
    const writablePaths = [join(home.root, "work")];
    expect(
      await runProgram(home, "echo b > ../work/a.txt; cat ../work/a.txt", { writablePaths }),
    ).toBe("b\n");
  });
});

describe("a program that cannot be confined", () => {
  const NO_PROGRAMS = { PATH: "/nonexistent", HOME: "/" };
  const program = { command: "sh", args: ["-c", ":"], env: NO_PROGRAMS, cwd: "/" };

  it.for(["auto", "off"] as const)("stays as it is with mode %s", async (mode) => {
    const confine = createProgramSandbox({ root: "/", env: NO_PROGRAMS, sandbox: { mode } });
    expect(await confine(program)).toEqual(program);
  });

  it("must not be started if the sandbox is required", async () => {
    const confine = createProgramSandbox({ root: "/", env: NO_PROGRAMS, sandbox: { mode: "on" } });
    expect(await confine(program)).toEqual({
      reason: expect.stringContaining('[sandbox] mode is "on"'),
    });
  });
});
