import { execFileSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { KEY, type Pty, startPty } from "./support/pty.ts";
import { createHome, PROGRAM_LINE } from "./support/run-caliban.ts";

/** How each shell starts without the settings of the machine, and the line that users put into its settings. */
const SHELLS = {
  bash: { command: ["bash", "--norc", "-i"], setUp: 'eval "$(caliban completion bash)"' },
  zsh: { command: ["zsh", "-f", "-i"], setUp: 'eval "$(caliban completion zsh)"' },
  fish: {
    command: ["fish", "--no-config", "-i"],
    setUp: "caliban completion fish | source",
  },
} as const;

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A shell that has loaded the script, in a project with one topic. */
async function startShell(shell: keyof typeof SHELLS): Promise<Pty> {
  const { home, run } = await createHome();
  const [cwd, bin] = [join(home, "app"), join(home, "bin")];
  await mkdir(bin);
  const program = join(bin, "caliban");
  await writeFile(program, `#!/bin/sh\nexec ${PROGRAM_LINE} "$@"\n`);
  await chmod(program, 0o755);
  const text = "Deploy with pnpm ship.";
  await run(["memory", "write", "deploy-checklist", "--text", text]);
  const { command, setUp } = SHELLS[shell];
  const env = { PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`, SHELL: shell };
  const terminal = startPty({ home, cwd, command: [...command], env });
  terminal.type(`${setUp}; echo rea""dy${KEY.enter}`);
  await terminal.waitFor(/^ready$/m);
  return terminal;
}

describe.each(["bash", "zsh", "fish"] as const)("completion in %s", (shell) => {
  it.skipIf(process.platform === "win32" || !isInstalled(shell))(
    "completes commands, options, topics and settings",
    async () => {
      const terminal = await startShell(shell);
      const lines = [
        ["caliban sess", "caliban sessions"],
        ["caliban memory write --descr", "caliban memory write --description"],
        ["caliban memory show dep", "caliban memory show deploy-checklist"],
        ["caliban memory ls --js", "caliban memory ls --json"],
        ["caliban settings set memory.aut", "caliban settings set memory.auto"],
        ["caliban settings set memory.auto f", "caliban settings set memory.auto false"],
        ["caliban --workspace /us", "caliban --workspace /usr/"],
      ] as const;
      for (const [typed, completed] of lines) {
        terminal.type(`${typed}${KEY.tab}`);
        expect(await terminal.waitFor(completed)).not.toContain("command not found");
        // Ctrl-U drops the line, Ctrl-L the screen.
        terminal.type("\u0015\u000C");
      }
    },
  );
});
