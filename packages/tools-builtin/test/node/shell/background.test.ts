import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createToolRunner } from "@caliban/agent-core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { childEnvironment } from "../../../../../test/support/child-environment.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { hasBubblewrap } from "../../support/sandbox-home.ts";
import { type WorkspaceTools, workspaceTools } from "../../support/workspace-tools.ts";

async function start({ text }: WorkspaceTools, command: string): Promise<string> {
  const started = await text("Bash", { command, run_in_background: true });
  return /as (bash_\d+)\./.exec(started)?.[1] ?? started;
}

/** Reads until the output contains a text. */
async function readUntil({ text }: WorkspaceTools, id: string, expected: string): Promise<string> {
  let all = "";
  await vi.waitFor(
    async () => {
      all += await text("BashOutput", { id });
      expect(all).toContain(expected);
    },
    { timeout: 10_000 },
  );
  return all;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a command in the background", () => {
  it("shows only new output with each call, and then how the command ended", async () => {
    const tools = await workspaceTools();
    const id = await start(
      tools,
      "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3",
    );
    const first = await readUntil(tools, id, "one");
    expect(first).toContain("Still running.");
    await tools.text("Bash", { command: "touch go" });
    const second = await readUntil(tools, id, "Exit code 3.");
    expect(second).toContain("two");
    expect(second).not.toContain("one");
    expect(await tools.text("BashOutput", { id })).toBe("No new output.\nExit code 3.");
  });

  it("stops everything that the command started", async () => {
    const tools = await workspaceTools();
    const id = await start(tools, "sleep 1000 & echo pid $! .; wait");
    const pid = Number(/pid (\d+) /.exec(await readUntil(tools, id, " ."))?.[1]);
    expect(isRunning(pid)).toBe(true);
    expect(await tools.text("BashOutput", { id, stop: true })).toContain("Stopped.");
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
    expect(await tools.text("BashOutput", { id, stop: true })).toBe("No new output.\nStopped.");
  });

  it("keeps the last part of a long output, and masks keys", async () => {
    const tools = await workspaceTools({}, (home) => ({
      env: { PATH: process.env["PATH"], HOME: home, KEY: "sk-secret-value" },
      secretVariables: ["KEY"],
    }));
    const id = await start(tools, "seq 1 100000; echo sk-secret-value; touch done; sleep 1000");
    await vi.waitFor(() => expect(existsSync(join(tools.root, "done"))).toBe(true), {
      timeout: 10_000,
    });
    const output = await readUntil(tools, id, "[masked]");
    expect(output.length).toBeLessThan(100_000);
    expect(output).toContain("99999\n100000\n[masked]");
    await tools.text("BashOutput", { id, stop: true });
  });

  it("limits how many commands run at the same time", async () => {
    const tools = await workspaceTools();
    const ids: string[] = [];
    for (let at = 0; at < 8; at += 1) ids.push(await start(tools, "sleep 1000"));
    const refused = await tools.call("Bash", { command: "true", run_in_background: true });
    expect(refused.data).toEqual({ code: "BUSY" });
    for (const id of ids) await tools.text("BashOutput", { id, stop: true });
    expect(await start(tools, "true")).toBe("bash_9");
  });

  it("explains an unknown id", async () => {
    const { call } = await workspaceTools();
    const { text, isError } = await call("BashOutput", { id: "bash_7" });
    expect(isError).toBe(true);
    expect(text).toContain('There is no background command "bash_7".');
  });

  it("needs the same permission as any other command", async () => {
    const { tools } = await workspaceTools();
    const { run } = createToolRunner({
      tools,
      policy: {
        allow: [],
        ask: [],
        deny: [{ text: "Bash(rm *)", name: "Bash", subject: "rm *", source: "test" }],
        mode: "yolo",
      },
    });
    const input = { command: "sudo rm x", run_in_background: true };
    expect((await run({ name: "Bash", input })).isError).toBe(true);
  });

  it.skipIf(!hasBubblewrap)("gets no write access in the sandbox", async () => {
    const tools = await workspaceTools({}, () => ({ sandbox: { mode: "on" } }));
    const input = { command: "echo x >file; echo code $?", run_in_background: true };
    const request = await tools.tool("Bash").sandboxOf?.(input, () => undefined);
    expect(request).toMatchObject({ canWrite: false, canLeave: false });
    const id = await start(tools, input.command);
    expect(await readUntil(tools, id, "Exit code 0.")).toContain("code 1");
    expect(existsSync(join(tools.root, "file"))).toBe(false);
    const endless = await start(tools, "echo started; sleep 1000");
    await readUntil(tools, endless, "started");
    expect(await tools.text("BashOutput", { id: endless, stop: true })).toContain("Stopped.");
  });

  it.skipIf(process.platform === "win32").for(["SIGKILL", "exit"] as const)(
    "ends when its program ends by %s",
    async (how) => {
      const home = await temporaryDirectory();
      const child = startProgram(home);
      const file = join(home, "pid");
      await vi.waitFor(() => expect(readPid(file)).toBeGreaterThan(0), { timeout: 20_000 });
      const pid = readPid(file);
      expect(isRunning(pid)).toBe(true);
      const exited = once(child, "exit");
      if (how === "SIGKILL") child.kill("SIGKILL");
      else child.stdin?.end();
      await exited;
      await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 10_000 });
    },
  );
});

function readPid(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

/** A program that starts a command in the background and ends when its input does. */
function startProgram(home: string): ChildProcess {
  const entry = new URL("../../../src/node/index.ts", import.meta.url).href;
  const code = `
    const { createFileTools } = await import(${JSON.stringify(entry)});
    const tools = createFileTools({ root: ${JSON.stringify(home)}, env: process.env });
    const bash = tools.find(({ name }) => name === "Bash");
    await bash.run({ command: "sleep 1000 & echo $! >pid; wait", run_in_background: true }, { usedTools: [], notify: () => undefined });
    process.stdin.resume();`;
  const child = spawn(
    process.execPath,
    ["--conditions=caliban:source", "--input-type=module", "-e", code],
    { env: childEnvironment(home), stdio: ["pipe", "inherit", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
