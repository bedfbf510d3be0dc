import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  BIN,
  IS_EXECUTABLE,
  PROGRAM,
  PROGRAM_LINE,
  type Ended,
  waitForExit,
} from "./support/run-caliban.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

async function caliban(
  args: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<Ended> {
  // stdin stays open without data, so a program that waits for it would hang.
  const child = spawn(PROGRAM[0], [...PROGRAM.slice(1), ...args], {
    env,
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
  });
  return await waitForExit(child);
}

describe("the built program", () => {
  it("shows the status without a terminal and does not wait for stdin", async () => {
    const home = await temporaryDirectory();
    const { exitCode, stdout, stderr } = await caliban([], { env: { HOME: home }, cwd: home });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("global   ~/.config/caliban/CLAUDE.md (missing)");
    expect(stdout).toContain("caliban --help     list all commands");
  });

  it.skipIf(IS_EXECUTABLE)(
    "writes only its compiled code, to the user's cache directory",
    async () => {
      const home = await temporaryDirectory();
      await caliban(["memory"], { env: { HOME: home }, cwd: home });
      expect(await readdir(home)).toEqual([".cache"]);
      expect(await readdir(join(home, ".cache"))).toEqual(["caliban"]);
    },
  );

  it.skipIf(IS_EXECUTABLE)(
    "shows memory without loading Node's crypto module, which takes milliseconds",
    async () => {
      const home = await temporaryDirectory();
      await writeFile(join(home, "CLAUDE.md"), "Use pnpm.\n");
      const print = `process.on("exit", () => process.stderr.write(JSON.stringify(
      process.moduleLoadList.filter((name) => name.includes("crypto/hash")))))`;
      const env = {
        HOME: home,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(print)}`,
      };
      expect(await caliban(["memory"], { env, cwd: home })).toMatchObject({
        stdout: expect.stringContaining("CLAUDE.md"),
        stderr: "[]",
      });
    },
  );

  it("prints its version and its help", async () => {
    const home = await temporaryDirectory();
    const where = { env: { HOME: home }, cwd: home };
    expect(await caliban(["--version"], where)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await caliban(["--help"], where)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Usage: caliban"),
    });
  });

  it("creates no home directory", async () => {
    const cwd = await temporaryDirectory();
    const home = join(cwd, "missing");
    expect(await caliban(["memory"], { env: { HOME: home }, cwd })).toMatchObject({ exitCode: 0 });
    expect(await readdir(cwd)).toEqual([]);
  });

  it("exits with 2 for an unknown command", async () => {
    const home = await temporaryDirectory();
    expect(await caliban(["memry"], { env: { HOME: home }, cwd: home })).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("did you mean 'memory'?"),
    });
  });

  it.skipIf(process.platform === "win32")(
    "reads the home directory from the user database when HOME is not set",
    async () => {
      const cwd = await temporaryDirectory();
      const { exitCode, stdout } = await caliban(["memory"], { env: { XDG_CACHE_HOME: cwd }, cwd });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/note {5}HOME is not set to an absolute path; using \/.*\.\n/);
    },
  );

  it.skipIf(process.platform === "win32")(
    "works with a read-only home directory until it has to write",
    async () => {
      const home = await temporaryDirectory();
      await writeFile(join(home, "CLAUDE.md"), "Use pnpm.\n");
      // Root ignores file modes, but cannot create a directory where a file is.
      await writeFile(join(home, ".cache"), "");
      await writeFile(join(home, ".config"), "");
      await chmod(home, 0o555);
      const where = { env: { HOME: home }, cwd: home };
      expect(await caliban(["memory"], where)).toMatchObject({
        exitCode: 0,
        stderr: "",
        stdout: expect.stringContaining("project  ~/CLAUDE.md ("),
      });
      const failed = await caliban(["settings", "set", "memory.auto", "false"], where);
      expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
      expect(failed.stderr).toMatch(
        /^caliban: .*settings\.toml: cannot write the settings \(\w+\); nothing was changed\. .*\n$/,
      );
    },
  );

  it.skipIf(process.platform !== "linux")("reports that stdout cannot be written", async () => {
    const home = await temporaryDirectory();
    const script = `${PROGRAM_LINE} memory > /dev/full`;
    const child = spawn("sh", ["-c", script], {
      env: { HOME: home },
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await waitForExit(child)).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "caliban: cannot write to stdout (ENOSPC)\n",
    });
  });

  it.skipIf(process.platform === "win32")(
    "exits quietly when the reader closes the pipe",
    async () => {
      const home = await temporaryDirectory();
      await writeFile(join(home, "CLAUDE.md"), "Use pnpm.\n".repeat(20_000));
      const script = `set -o pipefail; ${PROGRAM_LINE} prompt 2>&1 | head -n 1`;
      const child = spawn("bash", ["-c", script], {
        env: { HOME: home, PATH: process.env["PATH"] },
        cwd: home,
        stdio: ["ignore", "pipe", "pipe"],
      });
      const { exitCode, stderr, stdout } = await waitForExit(child);
      expect({ exitCode, stderr, lines: stdout.split("\n").length }).toEqual({
        exitCode: 0,
        stderr: "",
        lines: 2,
      });
    },
  );

  it.skipIf(process.platform === "win32")("works when stderr is closed", async () => {
    const home = await temporaryDirectory();
    const script = `${PROGRAM_LINE} memory --workspace . 2>&-`;
    const child = spawn("sh", ["-c", script], {
      env: { HOME: home, CALIBAN_MEMORY_DIRR: "/x" },
      cwd: home,
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(await waitForExit(child)).toMatchObject({ exitCode: 0 });
  });

  // The runtime of the executable reports it itself.
  it.skipIf(process.platform === "win32" || IS_EXECUTABLE)(
    "reports that the current directory no longer exists",
    async () => {
      const home = await temporaryDirectory();
      const gone = join(home, "gone");
      await mkdir(gone);
      const script = `cd "${gone}" && rmdir "${gone}" && exec ${PROGRAM_LINE} memory`;
      const child = spawn("sh", ["-c", script], {
        env: { HOME: home },
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(await waitForExit(child)).toEqual({
        exitCode: 2,
        stdout: "",
        stderr:
          "caliban: the current directory no longer exists; change to another one, or pass --workspace\n",
      });
      await rm(gone, { recursive: true, force: true });
    },
  );

  it("loads Node modules without import statements, which would load all of their exports", async () => {
    const files = (await readdir(dirname(BIN))).filter((name) => name.endsWith(".js"));
    const texts = await Promise.all(
      files.map((name) => readFile(join(dirname(BIN), name), "utf8")),
    );
    // Imports stand first in a bundled file. Further down, text of generated plugins contains some.
    const imports = texts.map((text) => /^(?:import\b[^;]*;\s*)*/.exec(text)?.[0] ?? "");
    expect(imports.filter((statements) => /["']node:/.test(statements))).toEqual([]);
    expect(imports.some((statements) => statements.includes("./core.js"))).toBe(true);
    expect(texts.some((text) => text.includes("process.getBuiltinModule("))).toBe(true);
  });

  it("loads few files and no library before a command or a request needs it", async () => {
    const importsOf = async (file: string): Promise<readonly string[]> => {
      const text = await readFile(join(dirname(BIN), file), "utf8");
      const imports = text.matchAll(/(?:^|;)(?:import|export)\b[^;()]*?["']\.\/([\w-]+\.js)["']/g);
      return [...imports].map(([, name = ""]) => name);
    };
    const loaded = new Set(["start.js", "core.js", "agent.js", "recall.js"]);
    for (const file of loaded) for (const name of await importsOf(file)) loaded.add(name);
    expect([...loaded].toSorted()).toEqual([
      "agent.js",
      "cli.js",
      "core.js",
      "recall.js",
      "start.js",
    ]);
    // The code for hooks is in files of its own, which only a configured hook loads.
    const hasHookCode = async (file: string): Promise<boolean> =>
      (await readFile(join(dirname(BIN), file), "utf8")).includes("caliban-hook");
    const files = (await readdir(dirname(BIN))).filter((name) => name.endsWith(".js"));
    const ofHooks = await Promise.all(files.map(hasHookCode));
    expect(files.filter((_, index) => ofHooks[index])).not.toEqual([]);
    expect(files.filter((name, index) => ofHooks[index] && loaded.has(name))).toEqual([]);
  });

  it("lets Node compile and cache the functions of a start together with their file", async () => {
    const core = await readFile(join(dirname(BIN), "core.js"), "utf8");
    expect(core).toMatch(/[,\s]loadMemory=\(async function loadMemory\(/);
    expect(core).not.toMatch(/(?:^|[;}])async function loadMemory\(/);
  });

  it("writes only ASCII into the files of a start, because V8 keeps other texts in twice the memory", async () => {
    const files = ["start.js", "core.js", "cli.js", "agent.js", "anthropic.js", "recall.js"];
    const texts = await Promise.all(
      files.map((name) => readFile(join(dirname(BIN), name), "utf8")),
    );
    expect(files.filter((_, index) => /[^\0-\x7F]/.test(texts[index] ?? ""))).toEqual([]);
  });

  it("can be executed directly", async () => {
    expect((await stat(BIN)).mode & 0o111).not.toBe(0);
  });
});
