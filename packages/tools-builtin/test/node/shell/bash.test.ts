import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fileSession } from "../../support/workspace-tools.ts";

const SECRET = "sk-test-0123456789abcdef";

describe("Bash", () => {
  it("shows both outputs in the order in which they come, and how the command ended", async () => {
    const { call, root } = await fileSession();
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
  ])("runs %j", async ([command, shown]) => {
    const { call } = await fileSession();
    expect((await call("Bash", { command, description: "a test" })).text).toBe(shown);
  });

  it("says what the shell does not understand", async () => {
    const { call } = await fileSession();
    expect((await call("Bash", { command: "if then" })).text).toContain("syntax error");
    expect((await call("Bash", { command: "no-such-program" })).text).toContain("not found");
  });

  it("says when its directory is gone", async () => {
    const { call } = await fileSession({}, (home) => ({ startDirectory: join(home, "none") }));
    expect((await call("Bash", { command: "true" })).text).toBe(
      "The command was not run. The start directory is gone.",
    );
  });

  it("ends at the time limit, with everything it started", async () => {
    const { call, root } = await fileSession();
    const startMs = performance.now();
    const { text, isError } = await call("Bash", {
      command: "echo begun; sleep 60 & echo $! > pid; wait",
      timeout_ms: 300,
    });
    expect(performance.now() - startMs).toBeLessThan(3_000);
    expect(isError).toBe(true);
    expect(text).toContain(
      "begun\n\nThe time limit of 0.3 s was over; its process group was stopped, and what left it by setsid may still run. Give more time",
    );
    expect(isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("has two minutes when nothing is said about it, as its schema tells", async () => {
    const { call, tool, root } = await fileSession();
    expect(JSON.stringify(tool("Bash").inputSchema)).toContain("120000 when left out");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const running = call("Bash", { command: "touch begun; exec sleep 60" });
    while (!existsSync(join(root, "begun"))) await setImmediate();
    vi.advanceTimersByTime(119_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    expect((await running).text).toContain("The time limit of 120 s was over");
  });

  it("ends what holds its output after the shell is gone", async () => {
    const { call, root } = await fileSession();
    const { text, data } = await call("Bash", {
      command: "sleep 60 & echo $! > pid; echo done",
      timeout_ms: 300,
    });
    expect(text).toContain("done\n\nExit code 0. What it left running held its output open");
    expect(data).toMatchObject({ exitCode: 0, stopped: "time-limit" });
    expect(isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("ends what does not listen to signals", async () => {
    const { call, root } = await fileSession();
    const startMs = performance.now();
    await call("Bash", {
      command: `bash -c 'trap "" INT TERM HUP; echo $$ > pid; while :; do sleep 0.1; done' & wait`,
      timeout_ms: 300,
    });
    expect(performance.now() - startMs).toBeLessThan(3_000);
    // Its output is closed a moment before it is gone.
    await expect.poll(() => isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("does not wait for who left the group and holds the output", async () => {
    const { call, root } = await fileSession();
    const startMs = performance.now();
    const command = "setsid sleep 5 & echo $! > pid";
    const { text } = await call("Bash", { command, timeout_ms: 200 });
    expect(performance.now() - startMs).toBeLessThan(4_000);
    expect(isRunning(readPid(join(root, "pid")))).toBe(true);
    expect(text).toContain("what left it by setsid may still run. Send the output");
    process.kill(readPid(join(root, "pid")), "SIGKILL");
  });

  it("leaves running what sends its output elsewhere", async () => {
    const { text, root } = await fileSession();
    const command = "sleep 30 >/dev/null 2>&1 & echo $! > pid";
    expect(await text("Bash", { command })).toBe("No output. Exit code 0.");
    const pid = readPid(join(root, "pid"));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("ends when the person interrupts it", async () => {
    const { call, root } = await fileSession();
    const controller = new AbortController();
    const running = call("Bash", { command: "echo $$ > pid; sleep 60" }, controller.signal);
    await expect.poll(() => existsSync(join(root, "pid"))).toBe(true);
    controller.abort();
    const { text, isError, data } = await running;
    expect(text).toContain(
      "The person interrupted it; its process group was stopped, and what left it",
    );
    expect([isError, data]).toMatchObject([true, { stopped: "interrupted" }]);
    expect(isRunning(readPid(join(root, "pid")))).toBe(false);
  });

  it("keeps the beginning and the end of a long output, and all of it in a private file", async () => {
    const { text, call, home } = await fileSession();
    const { text: shown, data } = await call("Bash", { command: "seq 1 20000" });
    expect(shown.length).toBeLessThan(30_500);
    expect(shown).toMatch(/^1\n2\n/);
    expect(shown).toMatch(/\n19999\n20000\n\nExit code 0\.$/);
    const { outputFile } = data as { readonly outputFile: string };
    const all = await readFile(outputFile, "utf8");
    expect(all).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(""));
    const note = /\n\[… (\d+) characters left out; all of it is in (.*) …\]\n/.exec(shown);
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

  it("goes on when the disk takes no file, and says so", async () => {
    const { text } = await fileSession({ file: "" }, (home) => ({
      outputDirectory: () => join(home, "file/below"),
    }));
    const shown = await text("Bash", { command: "seq 1 20000" });
    expect(shown).toMatch(/characters left out; they could not be kept in a file \(ENOTDIR\) …\]/);
    expect(shown).toMatch(/\n20000\n\nExit code 0\.$/);
  });

  it("makes no file for a short output", async () => {
    const { text, home } = await fileSession();
    const shown = await text("Bash", { command: "head -c 29999 /dev/zero | tr '\\0' x" });
    expect(shown).toContain("x".repeat(29_999));
    expect(existsSync(join(home, "outputs"))).toBe(false);
  });

  it("keeps little of 100 MB in memory, and the first 50 on disk", async () => {
    const { call } = await fileSession();
    const before = process.memoryUsage().rss;
    const { text, data } = await call("Bash", {
      command: "head -c 100000000 /dev/zero | tr '\\0' y",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(120_000_000);
    expect(text).toContain("its first 50 MB are in");
    const { outputFile } = data as { readonly outputFile: string };
    expect((await stat(outputFile)).size).toBe(50_000_000);
  }, 20_000);
});

describe("keys and Bash", () => {
  const withKey = (home: string) => ({
    env: { PATH: process.env["PATH"], HOME: home, MY_API_KEY: SECRET, COPY: SECRET, MINE: "yes" },
    secretVariables: ["MY_API_KEY", "NOT_SET"],
  });

  it("are not in the environment of commands, under any name", async () => {
    const { text } = await fileSession({}, withKey);
    const shown = await text("Bash", { command: 'echo "[$MY_API_KEY][$COPY][$MINE]"' });
    expect(shown).toBe("[][][yes]\n\nExit code 0.");
  });

  it("are masked in the result and in the file, also when they come in pieces or in colours", async () => {
    const half = SECRET.slice(0, 9);
    const rest = SECRET.slice(9);
    const { call } = await fileSession({}, withKey);
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
    const { call, home } = await fileSession(FILES, withMemory);
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

  it("refuses the real path of a memory directory that is a link", async () => {
    const { call, home } = await fileSession(FILES, (directory) => ({
      memoryDirectory: join(directory, "notes"),
    }));
    await symlink(join(home, ".state/memory"), join(home, "notes"));
    for (const path of ["~/notes/t.md", "~/.state/memory/t.md"]) {
      expect((await call("Bash", { command: `cat ${path}` })).data).toEqual({ code: "MEMORY" });
    }
  });

  it("reports what a command changed around the tools", async () => {
    const { call, notified } = await fileSession(FILES, withMemory);
    const { text, isError } = await call("Bash", {
      command:
        "cd ../.state; cd memory; echo more >> t.md; rm u.md; touch .hidden t.md.tmp u.md.old.tmp; echo n > new.md",
    });
    const line = "memory: changed around the tools, kept as a hand edit: new.md, t.md, u.md";
    expect([text, isError]).toEqual([`No output. Exit code 0.\n${line}`, undefined]);
    expect(notified).toEqual([line]);
  });

  it("reports nothing when nothing changed, or when the memory tools did it", async () => {
    const { text, notified } = await fileSession(FILES, (home) => ({
      ...withMemory(home),
      isOwnMemoryChange: async (name) => name === "t.md",
    }));
    await text("Bash", { command: "cat ../.state/mem*/t.md" });
    await text("Bash", { command: "echo x >> ../.state/mem*/t.md" });
    expect(notified).toEqual([]);
  });
});

function readPid(path: string): number {
  return Number(readFileSync(path, "utf8"));
}

/** What is only left until its parent looks is no process any more. */
function isRunning(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/\) [ZX] /.test(status);
  } catch {
    return false;
  }
}
