import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasBubblewrap } from "../packages/tools-builtin/test/support/sandbox-home.ts";
import { messagesOf } from "./support/model-server/received-request.ts";
import { createHomeWithModel } from "./support/run-caliban.ts";

const KEY = "sk-ant-test-0123456789abcdef";

interface Outcome {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** What the model was told about the command. */
  readonly result: string;
  readonly home: string;
}

/** Runs the built program with a model that calls one command. */
async function runCommand(
  command: string,
  { mode, flags = [] }: { readonly mode: string; readonly flags?: readonly string[] },
): Promise<Outcome> {
  const call = { toolCalls: [{ name: "Bash", input: { command } }] };
  const files = { ".ssh/id_ed25519": "the-key-of-the-user", "app/a.txt": "a\n" };
  const { run, server, home } = await createHomeWithModel([call, { text: "Done." }], files);
  const env = { ANTHROPIC_API_KEY: KEY };
  await run(["settings", "set", "sandbox.mode", mode], { env });
  const { exitCode, stderr } = await run(["-p", "go", ...flags], { env });
  const last = server.requests.at(-1);
  const result = (last && messagesOf(last).at(-1)?.toolResults[0]?.text) ?? "";
  return { exitCode, stderr, result, home };
}

/** Backwards, because the key itself would be masked. */
const FIND_KEY = `cat /proc/$PPID/environ /proc/self/environ | tr '\\0' '\\n' | rev`;
const reversed = (text: string): string => Array.from(text).toReversed().join("");

describe("the key of a model provider", () => {
  it.runIf(process.platform === "linux")(
    "stays out of reach of commands that run outside of the sandbox",
    async () => {
      const { result } = await runCommand(FIND_KEY, {
        mode: "off",
        flags: ["--allow", "shell.run"],
      });
      expect(result).toContain(reversed("HOME="));
      expect(result).not.toContain(reversed(KEY));
    },
  );
});

describe.skipIf(!hasBubblewrap)("the built program with a sandbox", () => {
  it("runs a command that only reads without a question, and keeps secrets from it", async () => {
    const { exitCode, result, stderr } = await runCommand(`cat a.txt ~/.ssh/*; ${FIND_KEY}`, {
      mode: "auto",
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(result).toMatch(/^a\n/);
    expect(result).not.toContain("the-key-of-the-user");
    expect(result).not.toContain(reversed(KEY));
  });

  it("denies a command that needs to write if no one can be asked, and says how to allow it", async () => {
    const { exitCode, stderr, home } = await runCommand("touch new", { mode: "auto" });
    expect(exitCode).toBe(4);
    expect(stderr).toContain("--allow 'shell.run(touch new)'");
    expect(existsSync(join(home, "app/new"))).toBe(false);
  });

  it("lets commands write to the workspace in accept-edits mode, and nowhere else", async () => {
    const flags = ["--mode", "accept-edits"];
    const command = "touch new ../outside /usr/caliban-outside; true";
    const { exitCode, result, home } = await runCommand(command, { mode: "auto", flags });
    expect(exitCode).toBe(0);
    expect(result).toContain("Read-only file system");
    expect(existsSync(join(home, "app/new"))).toBe(true);
    expect(existsSync(join(home, "outside"))).toBe(false);
    expect(existsSync("/usr/caliban-outside")).toBe(false);
  });
});
