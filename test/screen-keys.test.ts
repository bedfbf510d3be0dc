import { chmod, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messagesOf } from "./support/model-server/received-request.ts";
import { KEY, type Pty, startPty } from "./support/pty.ts";
import { PROGRAM_LINE } from "./support/run-caliban.ts";
import {
  createEmptyHome,
  type Directories,
  startScreen,
  withModel,
} from "./support/scripted-screen.ts";

/** A script in the place of the user's editor. */
async function editorScript({ home }: Directories, script: string): Promise<string> {
  const path = join(home, "my editor");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return `'${path}'`;
}

const drafts = async (home: string): Promise<readonly string[]> =>
  (await readdir(home)).filter((name) => name.startsWith("caliban-message-"));

describe("Ctrl-G", () => {
  it("opens the message in the editor of the user, and shows the screen again afterwards", async () => {
    const { server, ...directories } = await withModel([{ text: "I read it." }]);
    const { home } = directories;
    const VISUAL = await editorScript(
      directories,
      'echo "editing $(stat -c %a "$1") $(stat -c %a "$(dirname "$1")") $(stty | grep -c -- -icanon)"; until [ -e "$HOME/go" ]; do sleep 0.05; done; printf "first line\\nand\\033[31m more\\n" >> "$1"',
    );
    const pty = await startScreen(directories, { env: { VISUAL, EDITOR: "false", TMPDIR: home } });
    pty.type("typed before");
    await pty.waitFor("typed before");
    pty.type(KEY.ctrlG);
    // Only the user can read the file, and the terminal is as a program expects it.
    await pty.waitFor("editing 600 700 0");
    expect(pty.isCursorHidden()).toBe(false);
    await writeFile(join(home, "go"), "");
    await pty.waitFor(/─\ntyped before *\nfirst line *\nand\[31m more/);
    await expect.poll(async () => await drafts(home)).toEqual([]);
    pty.type(KEY.enter);
    await pty.waitFor("I read it.");
    expect(server.requests.flatMap(messagesOf).at(-1)?.text).toContain(
      "typed before\nfirst line\nand[31m more",
    );
  });

  it.each([
    ["fails", "exit 7", /failed with exit code 7\. The prompt is unchanged\./],
    ["deletes the file", 'rm "$1"', /cannot read the edited file: .*The prompt is unchanged\./],
  ])("keeps the message when the editor %s", async (_, script, report) => {
    const directories = await createEmptyHome();
    const { home } = directories;
    const EDITOR = await editorScript(directories, script);
    const pty = await startScreen(directories, { columns: 200, env: { EDITOR, TMPDIR: home } });
    pty.type("typed before");
    await pty.waitFor("typed before");
    pty.type(KEY.ctrlG);
    await pty.waitFor(report);
    expect(await pty.screen()).toMatch(/─\ntyped before *\n/);
    await expect.poll(async () => await drafts(home)).toEqual([]);
  });

  it("keeps what the user wrote when it cannot be used, and says where", async () => {
    const directories = await createEmptyHome();
    const { home } = directories;
    const EDITOR = await editorScript(directories, 'printf "caf\\351\\n" > "$1"');
    const pty = await startScreen(directories, { columns: 200, env: { EDITOR, TMPDIR: home } });
    pty.type(`typed before${KEY.ctrlG}`);
    const seen = await pty.waitFor(/not valid UTF-8 at line 1\. The prompt is unchanged\./);
    const path = /What you wrote is in (\S+)\./.exec(seen)?.[1] ?? "";
    expect(await readFile(path, "latin1")).toBe("caf\u00E9\n");
  });

  it("tries vi and nano when no editor is set, and says so when there is none", async () => {
    const directories = await createEmptyHome();
    const { home } = directories;
    const PATH = join(home, "bin");
    const env = { VISUAL: "", EDITOR: " ", PATH };
    const pty = await startScreen(directories, { columns: 200, env });
    pty.type(`text${KEY.ctrlG}`);
    await pty.waitFor("no editor found (tried: vi, nano). Set EDITOR to the command of yours.");
    expect(await pty.screen()).toMatch(/─\ntext *\n/);
  });
});

/** Starts the program from an interactive shell. */
async function startInShell(directories: Directories): Promise<Pty> {
  const pty = startPty({
    ...directories,
    command: ["bash", "--norc", "--noediting", "-i"],
    env: { PS1: "shell> ", HISTFILE: "" },
  });
  await pty.waitFor("shell>");
  pty.type(`${PROGRAM_LINE}\r`);
  await pty.waitFor(/context \d+%/);
  return pty;
}

describe("Ctrl-Z", () => {
  it("suspends caliban for the shell, and fg shows the screen with the same text again", async () => {
    const directories = await createEmptyHome();
    const pty = await startInShell(directories);
    await pty.sendLine("remember that we deploy with pnpm ship");
    await pty.waitFor("✓ memory: saved deploy-pnpm-ship");
    pty.type("half a mess");
    await pty.waitFor("half a mess");
    pty.type(KEY.ctrlZ);
    await pty.waitFor(/Stopped[^]*shell>/);
    expect(pty.isCursorHidden()).toBe(false);
    pty.type("stty -a | tr ';' '\\n' | grep -c -e '-icanon'; echo at the shell\r");
    const shell = await pty.waitFor(/^0\nat the shell$/m);
    // The prompt of caliban is gone, and what was said is still there.
    expect(shell).not.toMatch(/half a mess|context \d/);
    expect(shell).toContain("> remember that we deploy");
    pty.type("fg\r");
    await pty.waitFor(/at the shell[^]*─\nhalf a mess *\n─[^]*context \d+%/);
    pty.type("age");
    await pty.waitFor("half a message");
    await expectQuit(pty);
  });

  it("draws the screen again after another process stopped it", async () => {
    const pty = await startInShell(await createEmptyHome());
    pty.type(KEY.ctrlZ);
    await pty.waitFor(/Stopped[^]*shell>/);
    pty.type("fg\r");
    await pty.waitFor(/fg[^]*─\n[^]*context \d+%/);
    pty.type("kill me");
    await pty.waitFor("kill me");
    process.kill(await childOf(pty.pid), "SIGSTOP");
    await pty.waitFor(/Stopped[^]*Stopped[^]*shell>/);
    pty.type("stty sane; fg\r");
    await pty.waitFor(/stty sane[^]*─\nkill me *\n─[^]*context \d+%/);
    pty.type(" not");
    expect(await pty.waitFor("kill me not")).toContain("context");
    await expectQuit(pty);
  });

  it("continues with a hint where no shell could continue it", async () => {
    const pty = await startScreen(await createEmptyHome());
    pty.type("text");
    await pty.waitFor("text");
    pty.type(KEY.ctrlZ);
    await pty.waitFor("Cannot suspend: no shell could continue caliban");
    pty.type(" more");
    expect(await pty.waitFor("text more")).not.toContain("Stopped");
  });
});

async function expectQuit(pty: Pty): Promise<void> {
  pty.type(KEY.ctrlC + KEY.ctrlC);
  await pty.waitFor(/^shell>$/m);
  pty.type('echo "ended with $?"\r');
  await pty.waitFor("ended with 0");
}

/** The process that a shell runs. */
async function childOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(children.trim().split(" ").at(-1));
}

describe("the editing keys", () => {
  it("moves by lines and words, and Up browses what was sent with the cursor at its end", async () => {
    const { server: _, ...directories } = await withModel([{ text: "ok 1." }]);
    const pty = await startScreen(directories);
    await pty.sendLine("sent before");
    await pty.waitFor("ok 1.");
    pty.type("two words");
    pty.type(`${KEY.home}A${KEY.end}Z${KEY.altLeft}M${KEY.ctrlRight}E${KEY.ctrlW}`);
    await pty.waitFor(/─\nAtwo *\n─/);
    // The first Up goes to the start of the line, the second one to what was sent; Down brings the draft back.
    pty.type(KEY.up);
    pty.type(KEY.up);
    await pty.waitFor(/─\nsent before *\n─/);
    pty.type("!");
    expect(await pty.waitFor(/─\nsent before! *\n─/)).toContain("context");
  });
});
