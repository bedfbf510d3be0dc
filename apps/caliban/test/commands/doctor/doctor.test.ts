import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasBubblewrap } from "../../../../../packages/tools-builtin/test/support/sandbox-home.ts";
import { machine } from "../../fake-host.ts";

const MEMORY = ".local/share/caliban/projects/SLUG/memory";

interface Check {
  readonly about: string;
  readonly status: string;
  readonly sentence: string;
  readonly remedy?: string;
}

describe("caliban doctor", () => {
  it("finds no problems on a new machine and suggests the next step", async () => {
    const { caliban } = await machine();
    const { exitCode, stdout, stderr } = await caliban("doctor");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^✓ node +24\.0\.0$/m);
    expect(stdout).toMatch(/^! data +~\/\.local\/share\/caliban does not exist yet/m);
    expect(stdout).toMatch(
      /^! model +No API key found, so the built-in offline model offline\/rehearsal/m,
    );
    expect(stdout).toMatch(/^ +→ Set the key of a provider, such as ANTHROPIC_API_KEY/m);
    expect(stdout).toMatch(
      /^! learning +off\. To learn from past sessions: caliban settings set memories\.enabled true$/m,
    );
    expect(stdout).toMatch(/\nno problems found\n$/);
  });

  it("reports which keys are set and which model is used, never the value of a key", async () => {
    const start = await machine();
    const env = { HOME: start.home, OPENAI_API_KEY: "sk-very-secret-value", PATH: "" };
    const { stdout } = await start.with({ env }).caliban("doctor");
    expect(stdout).toMatch(/^✓ openai key +OPENAI_API_KEY is set$/m);
    expect(stdout).toMatch(/^! anthropic key +ANTHROPIC_API_KEY is not set$/m);
    expect(stdout).toMatch(
      /^✓ model +openai\/\S+ at https:\/\/api\.openai\.com\/v1, because OPENAI_API_KEY is set$/m,
    );
    expect(stdout).not.toContain("very-secret");
  });

  it.for([
    [
      "auto",
      0,
      /^! sandbox +bubblewrap is not installed, so commands are not confined, and ask first$/m,
    ],
    [
      "on",
      1,
      /^✗ sandbox +bubblewrap is not installed, so commands do not run \(sandbox\.mode is on\)$/m,
    ],
    ["off", 0, /^! sandbox +off: commands are not confined, and ask first$/m],
  ] as const)("reports a missing sandbox with sandbox.mode = %s", async ([mode, code, line]) => {
    const start = await machine({
      ".config/caliban/settings.toml": `[sandbox]\nmode = "${mode}"\n`,
    });
    const env = { HOME: start.home, PATH: "/nonexistent" };
    const { exitCode, stdout } = await start.with({ env }).caliban("doctor");
    expect(stdout).toMatch(line);
    expect(exitCode).toBe(code);
    expect(stdout.includes("→ Install it: apt install bubblewrap socat")).toBe(mode !== "off");
  });

  it.skipIf(!hasBubblewrap)(
    "reports the sandbox that works here, and the network of commands",
    async () => {
      const start = await machine({
        ".config/caliban/settings.toml": `[sandbox]\nallowed_hosts = ["example.com"]\n`,
      });
      const env = { HOME: start.home, PATH: process.env["PATH"] };
      const { stdout } = await start.with({ env }).caliban("doctor");
      expect(stdout).toMatch(/^✓ sandbox +bubblewrap \d+\.\d+\S*, network: example\.com$/m);
    },
  );

  it("reports why a model is used and whether its local server is running", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { caliban } = await machine({
      ".config/caliban/settings.toml": `[models]\ndefault = "ollama/qwen"\n[providers.ollama]\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
    });
    const model = String.raw`ollama/qwen at http://127\.0\.0\.1:${port}/v1, from \[models\] default in ~/\.config\S+toml`;
    const running = await caliban("doctor");
    expect(running.stdout).toMatch(new RegExp(`^✓ model +${model}$`, "m"));
    expect(running.exitCode).toBe(0);
    server.close();
    await once(server, "close");
    const stopped = await caliban("doctor");
    expect(stopped.stdout).toMatch(
      new RegExp(`^✗ model +${model}, but nothing is listening there$`, "m"),
    );
    expect(stopped.exitCode).toBe(1);
    expect((await caliban("doctor", "--model", "offline/rehearsal")).stdout).toMatch(
      /^✓ model +offline\/rehearsal, from --model$/m,
    );
    const unknown = await caliban("doctor", "--model", "antropic/x");
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stdout).toContain("Did you mean anthropic?");
  });

  it("reports the line of invalid settings and exits with 1", async () => {
    const { caliban } = await machine({ ".config/caliban/settings.toml": "[memory]\nauto = 3\n" });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^✗ settings +~\/\.config\/caliban\/settings\.toml:2/m);
    expect(stdout).toMatch(/\n1 problem found\n$/);
  });

  it("reports valid settings, and which settings of the repository are ignored", async () => {
    const plain = await (await machine()).caliban("doctor");
    expect(plain.stdout).toMatch(/^✓ settings +valid$/m);
    const { caliban } = await machine({
      "app/.caliban/settings.toml": '[permissions]\nmode = "yolo"\n',
    });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^! settings +~\/app\/\.caliban\/settings\.toml:2\S* .*permissions/m);
  });

  it("reports where conversations are stored and how many there are", async () => {
    const sessions = ".local/share/caliban/projects/SLUG/sessions";
    const none = await (await machine()).caliban("doctor");
    expect(none.stdout).toMatch(new RegExp(`^✓ sessions +none yet in ~/${sessions}$`, "m"));
    const some = await machine({
      [`${sessions}/20261116-100000-aaaa.jsonl`]: "",
      [`${sessions}/20261116-100000-bbbb.jsonl`]: "",
      [`${sessions}/notes.txt`]: "",
    });
    expect((await some.caliban("doctor")).stdout).toMatch(
      new RegExp(`^✓ sessions +2 in ~/${sessions}$`, "m"),
    );
    const broken = await machine({ [sessions]: "a file" });
    const { exitCode, stdout } = await broken.caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`^✗ sessions +cannot use ~/${sessions} \\(ENOTDIR\\)$`, "m"));
  });

  it("reports the line of an invalid permission rule", async () => {
    const { caliban } = await machine({
      ".config/caliban/settings.toml":
        '[permissions]\nask = ["Bash"]\nallow = [\n  "Read",\n  "Bash(ls",\n]\n',
    });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^✗ permissions +~\/\.config\/caliban\/settings\.toml:3:1: permissions\.allow: "Bash\(ls" is not a valid permission rule/m,
    );
    expect(stdout).toContain("caliban settings unset permissions.allow");
  });

  it.skipIf(process.platform === "win32")(
    "reports a home directory that is not writable",
    async () => {
      const { home } = await machine();
      await chmod(home, 0o555);
      const bin = fileURLToPath(new URL("../../../src/bin.ts", import.meta.url));
      // Root may write everywhere, so the command runs as an unprivileged user.
      const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      const { status, stdout } = spawnSync(
        process.execPath,
        ["--conditions=caliban:source", bin, "doctor"],
        { cwd: "/", env: { HOME: home }, encoding: "utf8", ...unprivileged },
      );
      await chmod(home, 0o755);
      expect(status).toBe(1);
      for (const kind of ["config", "data", "state", "cache"])
        expect(stdout).toMatch(
          new RegExp(`^✗ ${kind} +cannot create \\S+: ~ is not writable \\(EACCES\\)`, "m"),
        );
    },
  );

  it("formats paths and numbers as every other command does", async () => {
    const start = await machine();
    let printed = "";
    await start.with({ stdout: (text) => void (printed += text) }).caliban("doctor");
    expect(printed).toMatch(/^✓ workspace +~\/app$/m);
    expect(printed).toContain("0 of 32,000 tokens");
    expect(printed).not.toContain(start.home);
  });

  it("reports problems of the topics", async () => {
    const { caliban } = await machine({ [`${MEMORY}/broken.md`]: "no header\n" });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^✗ topics +\d+ problems? in ~\//m);
    expect(stdout).toContain("→ caliban memory doctor");
  });

  it.skipIf(process.platform === "win32")(
    "reports directories that others can read or write",
    async () => {
      const { caliban, home } = await machine();
      await mkdir(join(home, ".local/share/caliban"), { recursive: true, mode: 0o755 });
      await mkdir(join(home, ".config/caliban"), { recursive: true });
      await chmod(join(home, ".config/caliban"), 0o777);
      const { exitCode, stdout } = await caliban("doctor");
      expect(exitCode).toBe(1);
      expect(stdout).toContain("~/.local/share/caliban is readable by others (0755)");
      expect(stdout).toContain("~/.config/caliban is writable by others (0777)");
      expect(stdout).toContain("→ chmod go-rwx ~/.local/share/caliban");
      await chmod(join(home, ".local/share/caliban"), 0o700);
      await chmod(join(home, ".config/caliban"), 0o755);
      expect((await caliban("doctor")).exitCode).toBe(0);
    },
  );

  it("reports a file where a directory should be", async () => {
    const { caliban, home } = await machine();
    await mkdir(join(home, ".local/state"), { recursive: true });
    await writeFile(join(home, ".local/state/caliban"), "");
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("~/.local/state/caliban is not a directory");
  });

  it("suggests importing Claude Code's topics while there are none here", async () => {
    const start = await machine();
    const project = start.home.replaceAll(/[^A-Za-z0-9]/g, "-");
    const directory = join(start.home, `.claude/projects/${project}-app/memory`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "deploy.md"), "We deploy with pnpm ship.\n");
    const { exitCode, stdout } = await start.caliban("doctor");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^! import +Claude Code has 1 topic about this project$/m);
    expect(stdout).toContain("→ caliban memory import");
    expect((await start.caliban("memory", "import", "--yes")).exitCode).toBe(0);
    expect((await start.caliban("doctor")).stdout).not.toContain("Claude Code");
  });

  it("suggests importing Claude Code's instructions while there is no global file", async () => {
    const start = await machine({ ".claude/CLAUDE.md": "Be kind.\n" });
    const alone = await start.caliban("doctor");
    expect(alone.stdout).toMatch(
      /^! import +Claude Code has your instructions in ~\/\.claude\/CLAUDE\.md$/m,
    );
    const project = start.home.replaceAll(/[^A-Za-z0-9]/g, "-");
    const directory = join(start.home, `.claude/projects/${project}-app/memory`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "deploy.md"), "We deploy with pnpm ship.\n");
    expect((await start.caliban("doctor")).stdout).toContain(
      "has 1 topic about this project and your instructions in ~/.claude/CLAUDE.md",
    );
    await start.caliban("memory", "import", "--yes");
    expect((await start.caliban("doctor")).stdout).not.toContain("Claude Code");
  });

  it("reports what does not work without a program", async () => {
    const start = await machine({ "bin/rg": "" });
    await chmod(join(start.home, "bin/rg"), 0o755);
    const env = { HOME: start.home, PATH: join(start.home, "bin") };
    const { stdout } = await start.with({ env }).caliban("doctor");
    expect(stdout).toMatch(/^✓ rg +~\/bin\/rg$/m);
    expect(stdout).toMatch(/^! bash +not in PATH: the Bash tool does not work$/m);
  });

  it("reports a terminal that cannot show the screen", async () => {
    const start = await machine();
    const terminal = start.with({ isTerminal: true, inputKind: () => "terminal" });
    expect((await terminal.caliban("doctor")).exitCode).toBe(1);
    const env = { HOME: start.home, TERM: "xterm", NO_COLOR: "1" };
    const { stdout } = await terminal.with({ env }).caliban("doctor");
    expect(stdout).toMatch(/^✓ terminal +TERM=xterm, without color \(NO_COLOR\)$/m);
  });

  it("colors the symbols and wraps long lines at spaces on a terminal", async () => {
    const start = await machine();
    const terminal = start.with({ hasColor: () => true, columns: () => 60 });
    const { stdout } = await terminal.caliban("doctor");
    expect(stdout).toContain("\u001B[32m✓\u001B[39m node");
    // oxlint-disable-next-line no-control-regex -- the colors
    const plain = stdout.replaceAll(/\u001B\[\d+m/g, "");
    const words = (text: string): readonly string[] => text.split(/\s+/);
    expect(words(plain)).toEqual(words((await start.caliban("doctor")).stdout));
    const tooLong = plain.split("\n").filter((line) => line.length > 60);
    // Only a line with a single long word, such as a path, may be longer.
    expect(tooLong.filter((line) => /\S {1}\S+ \S/.test(line.slice(21)))).toEqual([]);
  });

  it("prints the same checks as JSON", async () => {
    const { caliban } = await machine({ ".config/caliban/settings.toml": "broken" });
    const { exitCode, stdout } = await caliban("doctor", "--json");
    const { checks, problems } = JSON.parse(stdout) as { checks: Check[]; problems: number };
    expect({ exitCode, problems }).toEqual({ exitCode: 1, problems: 1 });
    expect(checks[0]).toEqual({ about: "node", status: "ok", sentence: "24.0.0" });
    expect(checks.find(({ about }) => about === "settings")).toMatchObject({ status: "problem" });
  });
});
