import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type ProgramEnd, runProgram, type RunProgramInput } from "../../src/hooks/run-program.ts";

async function runShell(
  command: string,
  input: Partial<RunProgramInput> = {},
): Promise<ProgramEnd> {
  return await runProgram({
    program: {
      command: "/bin/sh",
      args: ["-c", command],
      env: { PATH: process.env["PATH"] },
      cwd: "/",
    },
    input: "{}\n",
    timeoutSeconds: 600,
    onExit: () => () => undefined,
    ...input,
  });
}

/** Whether a process still exists a moment after it was killed. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => " Z ");
    if (/ [ZX] /.test(state)) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

describe("the program of a hook", () => {
  it("gives a program its input and returns its output and exit code", async () => {
    expect(await runShell("cat; echo problem >&2; exit 3", { input: "hello" })).toEqual({
      kind: "ended",
      exitCode: 3,
      signal: undefined,
      stdout: "hello",
      stderr: "problem\n",
    });
  });

  it("accepts a program that does not read its input", async () => {
    const input = "x".repeat(10_000_000);
    expect(await runShell("exec <&-; echo {}", { input })).toMatchObject({
      exitCode: 0,
      stdout: "{}\n",
    });
  });

  it("kills a program at its time limit with everything it started", async () => {
    const directory = await temporaryDirectory();
    const pidFile = join(directory, "pid");
    const end = await runShell(`trap "" TERM; sleep 600 & echo $! > ${pidFile}; wait; wait`, {
      timeoutSeconds: 1,
    });
    expect(end).toEqual({ kind: "timed-out", seconds: 1 });
    expect(await isGone(Number(await readFile(pidFile, "utf8")))).toBe(true);
  });

  it("kills a program that prints too much", async () => {
    const end = await runShell("head -c 10485760 /dev/zero; sleep 600");
    expect(end).toEqual({ kind: "too-much-output", maxBytes: 262_144 });
    expect(await runShell("head -c 10485760 /dev/zero >&2; sleep 600")).toMatchObject({
      kind: "too-much-output",
    });
  });

  it("ends what a program leaves in the background", async () => {
    const end = await runShell("sleep 600 & echo $!");
    expect(end).toMatchObject({ kind: "ended", exitCode: 0 });
    expect(await isGone(Number(end.kind === "ended" ? end.stdout : 0))).toBe(true);
  });

  it("kills a program when the turn is interrupted, and when the conversation ends", async () => {
    const [turn, conversation] = [new AbortController(), new AbortController()];
    const interrupted = runShell("sleep 600", { signal: turn.signal });
    const ended = runShell("sleep 600", { ending: conversation.signal });
    turn.abort();
    conversation.abort();
    expect(await interrupted).toEqual({ kind: "interrupted" });
    expect(await ended).toEqual({ kind: "ended-early" });
  });

  it("reports a program that cannot be started", async () => {
    const program = { command: "/no/such/shell", args: [], env: {}, cwd: "/" };
    const end = await runProgram({
      program,
      input: "",
      timeoutSeconds: 9,
      onExit: () => () => undefined,
    });
    expect(end).toEqual({ kind: "not-started", reason: "/no/such/shell cannot be run (ENOENT)" });
  });
});
