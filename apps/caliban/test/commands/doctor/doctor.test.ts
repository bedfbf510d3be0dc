import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { machine } from "../../fake-host.ts";

const MEMORY = ".local/share/caliban/projects/SLUG/memory";

interface Check {
  readonly about: string;
  readonly status: string;
  readonly sentence: string;
  readonly remedy?: string;
}

describe("caliban doctor", () => {
  it("finds nothing wrong with a new machine, and says what to do next", async () => {
    const { caliban } = await machine();
    const { exitCode, stdout, stderr } = await caliban("doctor");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^ok +node +Node 24\.0\.0$/m);
    expect(stdout).toMatch(/^note +data +~\/\.local\/share\/caliban is not there yet/m);
    expect(stdout).toMatch(/^note +model +offline\/rehearsal answers, because no key is set/m);
    expect(stdout).toMatch(/^ +-> Set the key of a provider, such as ANTHROPIC_API_KEY/m);
    expect(stdout).toMatch(/nothing is wrong\n$/);
  });

  it("says which keys there are and which model is used, and never a key", async () => {
    const start = await machine();
    const env = { HOME: start.home, OPENAI_API_KEY: "sk-very-secret-value", PATH: "" };
    const { stdout } = await start.with({ env }).caliban("doctor");
    expect(stdout).toMatch(/^ok +key of openai +OPENAI_API_KEY is set\.$/m);
    expect(stdout).toMatch(/^note +key of anthropic +ANTHROPIC_API_KEY is not set\.$/m);
    expect(stdout).toMatch(
      /^ok +model +openai\/\S+ is asked, at https:\/\/api\.openai\.com\/v1, because OPENAI_API_KEY is/m,
    );
    expect(stdout).not.toContain("very-secret");
  });

  it("says why a model is used, and whether a local server is there", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { caliban } = await machine({
      ".config/caliban/settings.toml": `[models]\ndefault = "ollama/qwen"\n[providers.ollama]\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
    });
    const isAsked = String.raw`ollama/qwen is asked, at http://127\.0\.0\.1:${port}/v1, because \[models\] default says so \(~/\.config\S+\)\.`;
    const there = await caliban("doctor");
    expect(there.stdout).toMatch(new RegExp(`^ok +model +${isAsked}$`, "m"));
    expect(there.exitCode).toBe(0);
    server.close();
    await once(server, "close");
    const gone = await caliban("doctor");
    expect(gone.stdout).toMatch(
      new RegExp(`^PROBLEM +model +${isAsked} Nothing listens there\\.$`, "m"),
    );
    expect(gone.exitCode).toBe(1);
    expect((await caliban("doctor", "--model", "offline/rehearsal")).stdout).toMatch(
      /^ok +model +offline\/rehearsal answers, because --model says so\.$/m,
    );
    const unknown = await caliban("doctor", "--model", "antropic/x");
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stdout).toContain("Did you mean anthropic?");
  });

  it("names the line of broken settings and ends with 1", async () => {
    const { caliban } = await machine({ ".config/caliban/settings.toml": "[memory]\nauto = 3\n" });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^PROBLEM +settings +~\/\.config\/caliban\/settings\.toml:2/m);
    expect(stdout).toMatch(/1 to mend\n$/);
  });

  it("says that the settings can be read, and what of the repository's does not count", async () => {
    const plain = await (await machine()).caliban("doctor");
    expect(plain.stdout).toMatch(/^ok +settings +They can be read\.$/m);
    const { caliban } = await machine({
      "app/.caliban/settings.toml": '[permissions]\nmode = "yolo"\n',
    });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^note +settings +~\/app\/\.caliban\/settings\.toml:2\S* .*permissions/m,
    );
  });

  it("says where conversations are kept, and how many there are", async () => {
    const sessions = ".local/share/caliban/projects/SLUG/sessions";
    const none = await (await machine()).caliban("doctor");
    expect(none.stdout).toMatch(new RegExp(`^ok +sessions +None in ~/${sessions} yet\\.$`, "m"));
    const some = await machine({
      [`${sessions}/20261116-100000-aaaa.jsonl`]: "",
      [`${sessions}/20261116-100000-bbbb.jsonl`]: "",
      [`${sessions}/notes.txt`]: "",
    });
    expect((await some.caliban("doctor")).stdout).toMatch(
      new RegExp(`^ok +sessions +2 in ~/${sessions}$`, "m"),
    );
    const broken = await machine({ [sessions]: "a file" });
    const { exitCode, stdout } = await broken.caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^PROBLEM +sessions +~/${sessions} cannot be used \\(ENOTDIR\\)\\.$`, "m"),
    );
  });

  it("finds what is no permission rule, and names its line", async () => {
    const { caliban } = await machine({
      ".config/caliban/settings.toml":
        '[permissions]\nask = ["Bash"]\nallow = [\n  "Read",\n  "Bash(ls",\n]\n',
    });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^PROBLEM +permissions +~\/\.config\/caliban\/settings\.toml:3:1: permissions\.allow: "Bash\(ls" is no permission rule/m,
    );
    expect(stdout).toContain("caliban settings unset permissions.allow");
  });

  it.skipIf(process.platform === "win32")("finds a home in which nothing can be made", async () => {
    const { home } = await machine();
    await chmod(home, 0o555);
    const bin = fileURLToPath(new URL("../../../src/bin.ts", import.meta.url));
    // Nothing is closed to root, so that nobody looks instead.
    const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--conditions=caliban:source", bin, "doctor"],
      { cwd: "/", env: { HOME: home }, encoding: "utf8", ...somebody },
    );
    await chmod(home, 0o755);
    expect(status).toBe(1);
    for (const kind of ["config", "data", "state", "cache"])
      expect(stdout).toMatch(
        new RegExp(
          `^PROBLEM +${kind} +\\S+ is not there and cannot be made: .* in ~ \\(EACCES\\)`,
          "m",
        ),
      );
  });

  it("writes paths and numbers as every other command does", async () => {
    const start = await machine();
    let printed = "";
    await start.with({ stdout: (text) => void (printed += text) }).caliban("doctor");
    expect(printed).toMatch(/^ok +workspace +~\/app$/m);
    expect(printed).toContain("0 of 32,000 tokens");
    expect(printed).not.toContain(start.home);
  });

  it("finds topics that are not whole", async () => {
    const { caliban } = await machine({ [`${MEMORY}/broken.md`]: "no header\n" });
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^PROBLEM +topics +.* wrong in ~\//m);
    expect(stdout).toContain("-> caliban memory doctor");
  });

  it.skipIf(process.platform === "win32")("finds what others could read or write", async () => {
    const { caliban, home } = await machine();
    await mkdir(join(home, ".local/share/caliban"), { recursive: true, mode: 0o755 });
    await mkdir(join(home, ".config/caliban"), { recursive: true });
    await chmod(join(home, ".config/caliban"), 0o777);
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("~/.local/share/caliban can be read by others (0755).");
    expect(stdout).toContain("~/.config/caliban can be written by others (0777).");
    expect(stdout).toContain("-> chmod go-rwx ~/.local/share/caliban");
    await chmod(join(home, ".local/share/caliban"), 0o700);
    await chmod(join(home, ".config/caliban"), 0o755);
    expect((await caliban("doctor")).exitCode).toBe(0);
  });

  it("finds a file in the place of a directory", async () => {
    const { caliban, home } = await machine();
    await mkdir(join(home, ".local/state"), { recursive: true });
    await writeFile(join(home, ".local/state/caliban"), "");
    const { exitCode, stdout } = await caliban("doctor");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("~/.local/state/caliban is not a directory.");
  });

  it("names the command that brings in the notes of Claude Code, while there are none here", async () => {
    const start = await machine();
    const project = start.home.replaceAll(/[^A-Za-z0-9]/g, "-");
    const directory = join(start.home, `.claude/projects/${project}-app/memory`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "deploy.md"), "We deploy with pnpm ship.\n");
    const { exitCode, stdout } = await start.caliban("doctor");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^note +import +Claude Code keeps 1 note about this project\.$/m);
    expect(stdout).toContain("-> caliban memory import");
    expect((await start.caliban("memory", "import", "--yes")).exitCode).toBe(0);
    expect((await start.caliban("doctor")).stdout).not.toContain("Claude Code");
  });

  it("names the instructions for Claude Code as well, while there is no global file", async () => {
    const start = await machine({ ".claude/CLAUDE.md": "Be kind.\n" });
    const alone = await start.caliban("doctor");
    expect(alone.stdout).toMatch(
      /^note +import +Claude Code follows your instructions in ~\/\.claude\/CLAUDE\.md\.$/m,
    );
    const project = start.home.replaceAll(/[^A-Za-z0-9]/g, "-");
    const directory = join(start.home, `.claude/projects/${project}-app/memory`);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, "deploy.md"), "We deploy with pnpm ship.\n");
    expect((await start.caliban("doctor")).stdout).toContain(
      "keeps 1 note about this project, and follows your instructions in ~/.claude/CLAUDE.md.",
    );
    await start.caliban("memory", "import", "--yes");
    expect((await start.caliban("doctor")).stdout).not.toContain("Claude Code");
  });

  it("says what is missing without a program", async () => {
    const start = await machine({ "bin/rg": "" });
    await chmod(join(start.home, "bin/rg"), 0o755);
    const env = { HOME: start.home, PATH: join(start.home, "bin") };
    const { stdout } = await start.with({ env }).caliban("doctor");
    expect(stdout).toMatch(/^ok +rg +~\/bin\/rg$/m);
    expect(stdout).toMatch(/^note +bash +It is not in PATH: the Bash tool does not work\.$/m);
  });

  it("looks at the terminal", async () => {
    const start = await machine();
    const terminal = start.with({ isTerminal: true, inputKind: () => "terminal" });
    expect((await terminal.caliban("doctor")).exitCode).toBe(1);
    const env = { HOME: start.home, TERM: "xterm", NO_COLOR: "1" };
    const { stdout } = await terminal.with({ env }).caliban("doctor");
    expect(stdout).toMatch(/^ok +terminal +TERM=xterm, without color \(NO_COLOR\)\.$/m);
  });

  it("gives programs the same", async () => {
    const { caliban } = await machine({ ".config/caliban/settings.toml": "broken" });
    const { exitCode, stdout } = await caliban("doctor", "--json");
    const { checks, problems } = JSON.parse(stdout) as { checks: Check[]; problems: number };
    expect({ exitCode, problems }).toEqual({ exitCode: 1, problems: 1 });
    expect(checks[0]).toEqual({ about: "node", status: "ok", sentence: "Node 24.0.0" });
    expect(checks.find(({ about }) => about === "settings")).toMatchObject({ status: "problem" });
  });
});
