import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { workspaceTools } from "../../support/workspace-tools.ts";

const SECRET = "sk-test-0123456789abcdef";

describe("Bash", () => {
  it("shows stdout and stderr in order, and how the command ended", async () => {
    const { call, root } = await workspaceTools();
    const { text, isError, data } = await call("Bash", {
      command: "for i in 1 2 3; do echo out $i; echo err $i >&2; done; pwd; exit 3",
    });
    const lines = [1, 2, 3].map((number) => `out ${number}\nerr ${number}\n`).join("");
    expect(text).toBe(`${lines}${root}\n\nExit code 3.`);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ exitCode: 3, stopped: undefined });
  });

  it.for([
    ["true", "No output. Exit code 0."],
    ["printf 'a\\n\\n'", "a\n\nExit code 0."],
    ["cat", "No output. Exit code 0."],
    ["kill -KILL $$", "No output. Ended by SIGKILL."],
    ["printf 'a\\377b'", "a\uFFFDb\n\nExit code 0."],
    ["printf '\\033[31mred\\033[0m'", "red\n\nExit code 0."],
    ["tty", "not a tty\n\nExit code 1."],
    ['echo "$0|$1"', "/bin/bash|\n\nExit code 0."],
  ])("runs %j and shows %j", async ([command, shown]) => {
    const { call } = await workspaceTools();
    expect((await call("Bash", { command, description: "a test" })).text).toBe(shown);
  });

  it("shows errors of the shell", async () => {
    const { call } = await workspaceTools();
    expect((await call("Bash", { command: "if then" })).text).toContain("syntax error");
    expect((await call("Bash", { command: "no-such-program" })).text).toContain("not found");
  });

  it("reports that the start directory no longer exists", async () => {
    const { call } = await workspaceTools({}, (home) => ({ startDirectory: join(home, "none") }));
    expect((await call("Bash", { command: "true" })).text).toBe(
      "The command was not run. The start directory no longer exists.",
    );
  });

  it("stops a command and everything it started at the time limit", async () => {
    const { call, root } = await workspaceTools();
    const { text, isError } = await call("Bash", {
      command: "echo started; sleep 60 & echo $! > pid; wait",
      timeout_ms: 300,
    });
    expect(isError).toBe(true);
    expect(text).toContain(
      "started\n\nTimed out after 0.3 s. Its process group was stopped; processes that left the group with setsid may still be running. Raise timeout_ms",
    );
    expect(isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("gives a command two minutes by default, as the schema says", async () => {
    const { call, tool, root } = await workspaceTools();
    expect(JSON.stringify(tool("Bash").inputSchema)).toContain("Default: 120000.");
    // Loading the tool sets timers of its own.
    await call("Bash", { command: "true" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = call("Bash", { command: "touch started; exec sleep 60" });
    while (!existsSync(join(root, "started"))) await setImmediate();
    vi.advanceTimersByTime(119_999);
    const state = await Promise.race([running.then(() => "ended"), setImmediate("running")]);
    expect(state).toBe("running");
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    expect((await running).text).toContain("Timed out after 120 s.");
  });

  it("stops a background process that keeps the output open after the shell has ended", async () => {
    const { call, root } = await workspaceTools();
    const { text, data } = await call("Bash", {
      command: "sleep 60 & echo $! > pid; echo done",
      timeout_ms: 300,
    });
    expect(text).toContain("done\n\nExit code 0. A background process kept the output open");
    expect(data).toMatchObject({ exitCode: 0, stopped: "time-limit" });
    expect(isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("kills a process that ignores signals", async () => {
    const { call, root } = await workspaceTools();
    await call("Bash", {
      command: `bash -c 'trap "" INT TERM HUP; echo $$ > pid; while :; do sleep 0.1; done' & wait`,
      timeout_ms: 300,
    });
    // Its output is closed a moment before the process ends.
    await expect.poll(() => isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("returns without waiting for a process that left the group and keeps the output open", async () => {
    const { call, root } = await workspaceTools();
    const command = "setsid sleep 60 & echo $! > pid";
    const { text } = await call("Bash", { command, timeout_ms: 200 });
    expect(isRunning(readPid(join(root, "pid")))).toBe(true);
    expect(text).toContain("with setsid may still be running. Redirect the output");
    process.kill(readPid(join(root, "pid")), "SIGKILL");
  });

  it("leaves a background process running whose output goes elsewhere", async () => {
    const { text, root } = await workspaceTools();
    const command = "sleep 30 >/dev/null 2>&1 & echo $! > pid";
    expect(await text("Bash", { command })).toBe("No output. Exit code 0.");
    const pid = readPid(join(root, "pid"));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("stops a command when the user interrupts", async () => {
    const { call, root } = await workspaceTools();
    const controller = new AbortController();
    const running = call("Bash", { command: "echo $$ > pid; sleep 60" }, controller.signal);
    await expect.poll(() => existsSync(join(root, "pid"))).toBe(true);
    controller.abort();
    const { text, isError, data } = await running;
    expect(text).toContain(
      "Interrupted by the user. Its process group was stopped; processes that left",
    );
    expect([isError, data]).toMatchObject([true, { stopped: "interrupted" }]);
    expect(isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("shows the start and the end of a long output, and saves the full text to a private file", async () => {
    const { text, call, home } = await workspaceTools();
    const { text: shown, data } = await call("Bash", { command: "seq 1 20000" });
    expect(shown.length).toBeLessThan(30_500);
    expect(shown).toMatch(/^1\n2\n/);
    expect(shown).toMatch(/\n19999\n20000\n\nExit code 0\.$/);
    const { outputFile } = data as { readonly outputFile: string };
    const all = await readFile(outputFile, "utf8");
    expect(all).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(""));
    const note = /\n\[… (\d+) characters left out; the full text is in (.*) …\]\n/.exec(shown);
    expect(note?.[2]).toBe(outputFile);
    const kept = shown.replace(note?.[0] ?? "", "").replace("\n\nExit code 0.", "\n");
    expect(kept.length + Number(note?.[1])).toBe(all.length);
    expect((await stat(outputFile)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, "outputs"))).mode & 0o777).toBe(0o700);
    expect(await text("Read", { file_path: outputFile, offset: 10_000, limit: 1 })).toContain(
      "10000",
    );
    expect(await text("Grep", { pattern: "^777$", path: outputFile })).toContain("777: 777");
  });

  it("continues if the full text cannot be saved, and says so", async () => {
    const { text } = await workspaceTools({ file: "" }, (home) => ({
      outputDirectory: () => join(home, "file/below"),
    }));
    const shown = await text("Bash", { command: "seq 1 20000" });
    expect(shown).toMatch(/characters left out; they could not be saved to a file \(ENOTDIR\) …\]/);
    expect(shown).toMatch(/\n20000\n\nExit code 0\.$/);
  });

  it("creates no file for a short output", async () => {
    const { text, home } = await workspaceTools();
    const shown = await text("Bash", { command: "head -c 29999 /dev/zero | tr '\\0' x" });
    expect(shown).toContain("x".repeat(29_999));
    expect(existsSync(join(home, "outputs"))).toBe(false);
  });

  it("saves only the first 50 MB of an output to disk", async () => {
    const { call } = await workspaceTools();
    const { text, data } = await call("Bash", {
      command: "head -c 60000000 /dev/zero | tr '\\0' y",
    });
    expect(text).toContain("the first 50 MB are in");
    const { outputFile } = data as { readonly outputFile: string };
    expect((await stat(outputFile)).size).toBe(50_000_000);
  }, 20_000);
});

describe("keys and Bash", () => {
  const withKey = (home: string) => ({
    env: { PATH: process.env["PATH"], HOME: home, MY_API_KEY: SECRET, COPY: SECRET, MINE: "yes" },
    secretVariables: ["MY_API_KEY", "NOT_SET"],
  });

  it("removes keys from the environment of commands, under any name", async () => {
    const { text } = await workspaceTools({}, withKey);
    const shown = await text("Bash", { command: 'echo "[$MY_API_KEY][$COPY][$MINE]"' });
    expect(shown).toBe("[][][yes]\n\nExit code 0.");
  });

  it("masks keys in the result and in the file, even if they are split or colored", async () => {
    const half = SECRET.slice(0, 9);
    const rest = SECRET.slice(9);
    const { call } = await workspaceTools({}, withKey);
    const { text, data } = await call("Bash", {
      command: `printf '${half}'; sleep 0.2; printf '${rest}\\n'; printf '${half}\\033[1m${rest}\\n'; yes ${SECRET} | head -n 5000; printf '${half}'`,
    });
    expect(text).not.toContain(SECRET);
    expect(text).toMatch(/^\[masked\]\n\[masked\]\n\[masked\]\n/);
    expect(text).toContain(`${half}\n\nExit code 0.`);
    const { outputFile } = data as { readonly outputFile: string };
    const all = await readFile(outputFile, "utf8");
    expect(all).toBe(`${"[masked]\n".repeat(5_002)}${half}`);
  });
});

describe("memory and Bash", () => {
  const FILES = { ".state/memory/t.md": "note\n", ".state/memory/u.md": "other\n" };
  const withMemory = (home: string) => ({ memoryDirectory: join(home, ".state/memory") });

  it("refuses a command that names the memory directory", async () => {
    const { call, home } = await workspaceTools(FILES, withMemory);
    await symlink(join(home, ".state"), join(home, "link"));
    for (const path of [
      join(home, ".state/memory/t.md"),
      "~/.state/memory/t.md",
      "$HOME/.state/memory",
      '"${HOME}/.state/memory"',
    ]) {
      const { text, isError, data } = await call("Bash", { command: `rm -rf ${path}` });
      expect([isError, data]).toEqual([true, { code: "MEMORY" }]);
      expect(text).toContain("Use the memory tools");
    }
    expect(await readdir(join(home, ".state/memory"))).toEqual(["t.md", "u.md"]);
    expect((await call("Bash", { command: "echo ~/.state/memory-other" })).isError).toBeUndefined();
  });

  it("refuses a command with the real path of a linked memory directory", async () => {
    const { call, home } = await workspaceTools(FILES, (directory) => ({
      memoryDirectory: join(directory, "notes"),
    }));
    await symlink(join(home, ".state/memory"), join(home, "notes"));
    for (const path of ["~/notes/t.md", "~/.state/memory/t.md"]) {
      expect((await call("Bash", { command: `cat ${path}` })).data).toEqual({ code: "MEMORY" });
    }
  });

  it("reports memory files that a command changed", async () => {
    const { call, notices } = await workspaceTools(FILES, withMemory);
    const { text, isError } = await call("Bash", {
      command:
        "cd ../.state; cd memory; echo more >> t.md; rm u.md; touch .hidden t.md.tmp u.md.old.tmp; echo n > new.md",
    });
    const line =
      "memory: changed outside the memory tools and kept as a manual edit: new.md, t.md, u.md";
    expect([text, isError]).toEqual([`No output. Exit code 0.\n${line}`, undefined]);
    expect(notices).toEqual([{ kind: "memory", message: line }]);
  });

  it("reports no memory change that the memory tools made", async () => {
    const { text, notices } = await workspaceTools(FILES, (home) => ({
      ...withMemory(home),
      memoryLog: async () => [
        {
          id: "1",
          at: new Date().toISOString(),
          who: "agent",
          action: "write",
          files: [{ slug: "t" as never, before: "note\n", after: "x" }],
        },
      ],
    }));
    await text("Bash", { command: "cat ../.state/mem*/t.md" });
    await text("Bash", { command: "printf x > ../.state/mem*/t.md" });
    expect(notices).toEqual([]);
  });
});

function readPid(path: string): number {
  return Number(readFileSync(path, "utf8"));
}

/** A zombie does not count as running. */
function isRunning(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) [ZX] /.test(status);
  } catch {
    return false;
  }
}
