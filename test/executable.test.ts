import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { withLazySystem, withoutSelfImports } from "../scripts/executable/stage-program.ts";
import { findTarget, executableName, TARGETS } from "../scripts/executable/targets.ts";
import { childEnvironment } from "./support/child-environment.ts";
import {
  BIN,
  createHome,
  createHomeWithModel,
  IS_EXECUTABLE,
  PROGRAM,
  type TestHome,
  waitForExit,
} from "./support/run-caliban.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const run = promisify(execFile);

describe("building the executable", () => {
  it("names one file for each platform", () => {
    expect(TARGETS.map(executableName)).toEqual([
      "caliban-linux-x64",
      "caliban-linux-arm64",
      "caliban-darwin-x64",
      "caliban-darwin-arm64",
      "caliban-win32-x64.exe",
      "caliban-win32-arm64.exe",
    ]);
    expect(() => findTarget("sunos-x64")).toThrow(
      'no executable for "sunos-x64"; choose from linux-x64, ',
    );
  });

  it("calls functions of the system without loading them first", () => {
    expect(withLazySystem("var h=process.getBuiltinModule(`node:os`).homedir,x=1")).toBe(
      "var h=((...values)=>process.getBuiltinModule(`node:os`).homedir(...values)),x=1",
    );
  });

  it("gives a chunk its own exports where it imports itself", () => {
    const code = 'export const a=1;import("./core.js").then(f);import("./cores.js")';
    expect(withoutSelfImports(code, "core.js")).toBe(
      `import * as ownExports from "./core.js";\nexport const a=1;Promise.resolve(ownExports).then(f);import("./cores.js")`,
    );
    expect(withoutSelfImports(code, "other.js")).toBe(code);
  });
});

// `pnpm executable:test` runs these.
describe.runIf(IS_EXECUTABLE)("the executable", () => {
  it("runs where there is no Node, and leaves no file behind", async () => {
    const home = await temporaryDirectory();
    const { stdout } = await run(PROGRAM[0], ["memory"], { cwd: home, env: { HOME: home } });
    expect(stdout).toContain("global   ~/.config/caliban/CLAUDE.md (missing)");
    expect(await readdir(home)).toEqual([]);
  });

  it.for([
    "--version",
    "--help",
    "memory",
    "memory list",
    "memory search deploy",
    "memory view deploy",
    "memory doctor",
    "memory history",
    "memory nothing-like-that",
    "prompt",
    "settings",
    "sessions",
    "skills",
    "mcp list",
    "completion bash",
    "completion zsh",
    "completion fish",
    "hooks",
    "-p deploys?",
    "-p list --no-such-option",
    "--workspace /nowhere/at/all memory",
  ])("prints what the npm package prints for %s", async (line) => {
    const args = line.split(" ");
    const { home, run: runExecutable } = await homeWithTopic();
    const printed = await runExecutable(args);
    const built = spawn(process.execPath, [BIN, ...args], {
      cwd: join(home, "app"),
      env: childEnvironment(home),
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(printed).toEqual(await waitForExit(built));
  });

  it("takes no variables, options or code from files of the repository", async () => {
    const { home, run: runExecutable } = await createHome({
      "app/.env": "CALIBAN_NO_SUCH=1\nANTHROPIC_API_KEY=from-the-repository\nHOME=/nowhere\n",
      "app/.env.local": "ANTHROPIC_API_KEY=from-the-repository\n",
      "app/bunfig.toml": 'preload = ["./evil.ts"]\nsmol = true\n',
      "app/evil.ts": 'require("node:fs").writeFileSync("evil", "");\n',
      "app/tsconfig.json": "not JSON",
      "app/package.json": "not JSON",
    });
    const { stdout, stderr } = await runExecutable(["-p", "hello"]);
    expect(stderr).toContain("no API key found");
    expect(stdout).toContain("offline/rehearsal");
    expect(existsSync(join(home, "app/evil"))).toBe(false);
  });

  it("searches files without ripgrep and reads no configuration for that", async () => {
    const answers = [
      { toolCalls: [{ name: "Grep", input: { pattern: "needle", output_mode: "content" } }] },
      { text: "found" },
    ];
    const user = await createHomeWithModel(answers, {
      "app/a.txt": "a needle\n",
      "app/bunfig.toml": 'preload = ["./evil.ts"]\n',
      "app/evil.ts": 'require("node:fs").writeFileSync("evil", "");\n',
    });
    const env = { PATH: "/nowhere" };
    expect(await user.run(["-p", "search"], { env })).toMatchObject({ stdout: "found\n" });
    expect(JSON.stringify(user.server.requests.at(-1)?.body["messages"])).toContain(
      String.raw`a.txt\n1: a needle`,
    );
    expect(existsSync(join(user.home, "app/evil"))).toBe(false);
  });

  it("installs hooks that start the executable itself", async () => {
    const { home, run: runExecutable } = await createHome();
    await mkdir(join(home, ".claude"));
    const env = { PATH: dirname(process.execPath) };
    expect(await runExecutable(["hook", "install", "claude", "--yes"], { env })).toMatchObject({
      exitCode: 0,
    });
    const settings = await readFile(join(home, ".claude/settings.json"), "utf8");
    expect(settings).toContain(`${PROGRAM[0]} hook run claude`);
    expect(settings).not.toContain("bunfs");
  });
});

async function homeWithTopic(): Promise<TestHome> {
  const user = await createHome({ "app/CLAUDE.md": "Use pnpm.\n" });
  const words = ["memory", "write", "deploy", "--text", "Deploy with pnpm ship."];
  expect(await user.run(words)).toMatchObject({ exitCode: 0 });
  await writeFile(join(user.home, "app/note.txt"), "");
  return user;
}
