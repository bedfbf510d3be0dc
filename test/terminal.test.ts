import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer, ScriptedCall } from "./support/model-server/answer.ts";
import { messagesOf } from "./support/model-server/received-request.ts";
import { KEY, startPty } from "./support/pty.ts";
import { BIN, PROGRAM } from "./support/run-caliban.ts";
import {
  createEmptyHome,
  startScreen,
  waitUntilKeysCount,
  withModel,
} from "./support/scripted-screen.ts";

describe("the first five minutes", () => {
  it("answers from memory in a second process, starting from an empty home directory", async () => {
    const directories = await createEmptyHome();
    const first = await startScreen(directories, { columns: 120 });
    const welcome = await first.screen();
    expect(welcome).toContain("offline/rehearsal · ~/app");
    expect(welcome).toContain('Try: "remember that we deploy with pnpm ship"');
    expect(welcome).toContain("No API key found. Set ANTHROPIC_API_KEY");
    await first.sendLine("remember that we deploy with pnpm ship");
    await first.waitFor("✓ memory: saved deploy-pnpm-ship");
    await first.waitFor("default · ~/app");
    await first.sendLine("#the staging port is 4100");
    await first.waitFor(
      /saved as staging-port-4100; show it with `\/memory show staging-port-4100`/,
    );
    await first.sendLine("/memory list");
    await first.waitFor(/deploy-pnpm-ship\s+project\s+today\s+we deploy with pnpm ship/);
    first.type(KEY.ctrlD);
    expect(await first.exit).toMatchObject({ exitCode: 0 });
    expect(await first.screen()).toContain("Resume with: caliban --resume ");

    const second = await startScreen(directories);
    expect(await second.screen()).toMatch(/memory: 1 loaded, \d+ tokens/);
    await second.sendLine("how do we deploy?");
    await second.waitFor("(from memory: deploy-pnpm-ship, today)");
  });

  it("offers to import what Claude Code remembers about the project", async () => {
    const directories = await createEmptyHome();
    const name = directories.cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    const directory = join(directories.home, ".claude/projects", name, "memory");
    await mkdir(directory, { recursive: true });
    const note =
      "---\nname: ports\ndescription: The port is 4100\ntype: project\n---\n\nThe port is 4100.\n";
    await writeFile(join(directory, "ports.md"), note);
    const pty = await startScreen(directories);
    await pty.waitFor("Claude Code has 1 topic about this project. Import with: /memory import");
    await pty.sendLine("/memory import");
    await pty.waitFor("Import 1 file?");
    pty.type("y");
    await pty.waitFor(/copied\s+ports/);
    await pty.sendLine("/memory show ports");
    expect(await pty.waitFor(/show ports[^]*hash|The port is 4100\./)).toContain(
      "The port is 4100.",
    );
  });

  it("drafts a CLAUDE.md and writes it only with consent", async () => {
    const directories = await createEmptyHome();
    await writeFile(join(directories.cwd, "package.json"), '{"scripts":{"test":"vitest run"}}');
    const pty = await startScreen(directories);
    await pty.sendLine("/init");
    await pty.waitFor("Write this to CLAUDE.md?");
    pty.type("n");
    await pty.waitFor("Nothing was written.");
    await pty.sendLine("/init");
    await pty.waitFor("Write this to CLAUDE.md?");
    pty.type("y");
    await pty.waitFor("Wrote CLAUDE.md");
    expect(await readFile(join(directories.cwd, "CLAUDE.md"), "utf8")).toContain(
      "- `npm run test`",
    );
    await pty.sendLine("/init");
    await pty.waitFor("CLAUDE.md already exists");
  });
});

describe("the screen in a real terminal", () => {
  it("keeps the screen in a chunk that nothing else loads", async () => {
    const directory = dirname(BIN);
    const files = (await readdir(directory)).filter((name) => name.endsWith(".js"));
    const texts = new Map(
      await Promise.all(
        files.map(async (name) => [name, await readFile(join(directory, name), "utf8")] as const),
      ),
    );
    const screen = files.find((name) => texts.get(name)?.includes("[paste #")) ?? "";
    expect(screen).toMatch(/^screen.*\.js$/);
    const loaders = [...texts].filter(([, text]) => text.includes(`from"./${screen}"`));
    const isOnlyFromScreen = (name: string): boolean =>
      [...texts].every(([other, text]) => other === screen || !text.includes(`./${name}`));
    // A short facade that only re-exports names for one of the screen's own commands is fine, and so is what the screen loads.
    const others = loaders.filter(([name, text]) => text.length > 200 && !isOnlyFromScreen(name));
    expect(others.map(([name]) => name)).toEqual([]);
  });

  it("completes commands and files, and resumes an earlier conversation", async () => {
    const directories = await createEmptyHome();
    await writeFile(join(directories.cwd, "notes.txt"), "x");
    const pty = await startScreen(directories);
    pty.type("/me");
    await pty.waitFor("→ /memory [verb …]");
    pty.type(`${KEY.tab}se`);
    await pty.waitFor("Search ");
    pty.type(KEY.ctrlC);
    await pty.waitFor("Press Ctrl-C again to quit");
    pty.type("what is in @no");
    await pty.waitFor("→ notes.txt");
    pty.type(KEY.tab);
    await pty.waitFor("what is in @notes.txt");
    pty.type(KEY.enter);
    await pty.waitFor("> what is in @notes.txt");
    await pty.waitFor(/context \d+%/);
    await pty.sendLine("/clear");
    await pty.waitFor("New conversation.");
    await pty.sendLine("/resume");
    await pty.waitFor("Resume which conversation?");
    pty.type(KEY.enter);
    await pty.waitFor("Resumed conversation");
    expect(await pty.screen()).toContain("> what is in @notes.txt");
  });

  it("remembers in a second session what the user sent, except secrets", async () => {
    const { server: _, ...directories } = await withModel([
      { text: "answer 1." },
      { text: "answer 2." },
      { text: "answer 3." },
      { text: "answer 4." },
    ]);
    const secret = ["ghp", "R8s2vQ1mZx7Kd3Lw9Tn5Yb4Hc6Jf0Pg2Ua1E"].join("_");
    const first = await startScreen(directories);
    const lines = ["how do we deploy?", `the token is ${secret}`, "what is the port"];
    for (const [at, line] of lines.entries()) {
      await first.sendLine(line);
      await first.waitFor(`answer ${at + 1}.`);
    }
    first.type(KEY.ctrlD);
    await first.exit;
    const path = join(directories.home, ".local/state/caliban/prompt-history.jsonl");
    expect(await readFile(path, "utf8")).not.toContain(secret);

    const second = await startScreen(directories);
    second.type(KEY.up);
    await second.waitFor("what is the port");
    // The cursor is at the end.
    second.type("?");
    await second.waitFor("what is the port?");
    second.type(KEY.ctrlR);
    await second.waitFor("Search your messages");
    second.type("DEPLOY how");
    await expect
      .poll(async () => await second.screen())
      .toMatch(/→ how do we deploy\?\n(?!.*port)/);
    second.type(KEY.enter);
    await second.waitFor(/─\nhow do we deploy\?/);

    const third = await startScreen(directories, { args: ["--no-memory"] });
    third.type(KEY.ctrlR);
    await third.waitFor("No messages to search yet");
    await third.sendLine("not kept");
    await third.waitFor("answer 4.");
    third.type(KEY.ctrlC + KEY.ctrlC);
    await third.exit;
    expect(await readFile(path, "utf8")).not.toContain("not kept");
  });

  it("runs a command of the user with live output, and tells the model", async () => {
    const { server, ...directories } = await withModel([{ text: "I saw it." }]);
    const pty = await startScreen(directories);
    await pty.sendLine("!echo one; until [ -e go ]; do sleep 0.05; done; echo two");
    await pty.waitFor(/│ one$/m);
    await writeFile(join(directories.cwd, "go"), "");
    await pty.waitFor(/│ two$/m);
    expect(server.requests).toHaveLength(0);
    await pty.sendLine("what did it print?");
    await pty.waitFor("I saw it.");
    expect(server.requests[0]?.text).toMatch(/command-output[^]*one[^]*two[^]*what did it print/);
    pty.type(KEY.ctrlD);
    await pty.exit;
    const resumed = await startScreen(directories, { args: ["-c"] });
    expect(await resumed.screen()).toMatch(/> !echo one[^]*two[^]*> what did it print/);
  });

  it("filters the list of conversations by what is typed", async () => {
    const directories = await createEmptyHome();
    const pty = await startScreen(directories);
    for (const line of ["about apples", "about pears", "about plums"]) {
      await pty.sendLine(line);
      await pty.waitFor(new RegExp(`> ${line}[^]*context \\d+%`));
      await pty.sendLine("/clear");
      await pty.waitFor("New conversation.");
    }
    await pty.sendLine("/resume");
    await pty.waitFor("Resume which conversation?");
    pty.type("pear");
    await expect.poll(async () => await pty.screen()).not.toContain("about plums");
    pty.type(KEY.enter);
    await pty.waitFor(/> about pears[^]*Resumed conversation/);
  });

  it("asks before a command runs, and accepts no, once and always", async () => {
    const call = { toolCalls: [{ name: "Bash", input: { command: "echo made >> made.txt" } }] };
    const { server, ...directories } = await withModel(
      [1, 2, 3, 4].flatMap((n) => [call, { text: `end ${n}.` }]),
    );
    const pty = await startScreen(directories);
    const made = async (): Promise<string> => {
      return await readFile(join(directories.cwd, "made.txt"), "utf8").catch(() => "nothing");
    };
    for (const [number, keys, content] of [
      [1, ["n"], "nothing"],
      [2, [KEY.enter], "made\n"],
      [3, [KEY.down, KEY.enter], "made\nmade\n"],
    ] as const) {
      await pty.sendLine(`do it ${number}`);
      const seen = await pty.waitFor(/Let the agent use Bash\?[^]*Yes, once/);
      expect(seen).toContain("│ echo made >> made.txt");
      await waitUntilKeysCount();
      for (const key of keys) pty.type(key);
      await pty.waitFor(`end ${number}.`);
      expect(await made()).toBe(content);
    }
    await pty.sendLine("do it 4");
    await pty.waitFor("end 4.");
    expect(await made()).toBe("made\nmade\nmade\n");
    expect(server.requests).toHaveLength(8);
  });

  it("asks in the order of the calls, and reads without asking", async () => {
    const bash = (command: string): ScriptedCall => ({ name: "Bash", input: { command } });
    const write = { name: "Write", input: { file_path: "c.txt", content: "c" } };
    const { server, ...directories } = await withModel([
      { toolCalls: [bash("ls -a"), bash("echo a > a.txt"), bash("echo b > b.txt"), write] },
      { text: "the end." },
    ]);
    const pty = await startScreen(directories);
    await pty.sendLine("go");
    for (const asked of [/│ echo a > a[^]*Yes/, /│ echo b > b[^]*Yes/, /use Write c\.txt[^]*Yes/]) {
      await pty.waitFor(asked);
      await waitUntilKeysCount();
      pty.type("y");
    }
    await pty.waitFor("the end.");
    expect(await readFile(join(directories.cwd, "b.txt"), "utf8")).toBe("b\n");
    expect(server.requests).toHaveLength(2);
  });

  it("remembers a prefix, and tells the model what to do instead of a command", async () => {
    const commit = (message: string): Answer => ({
      toolCalls: [{ name: "Bash", input: { command: `git commit --dry-run -m ${message}` } }],
    });
    const { server, ...directories } = await withModel([
      commit("one"),
      { text: "end 1." },
      commit("two"),
      { toolCalls: [{ name: "Bash", input: { command: "npm publish" } }] },
      { text: "end 2." },
    ]);
    const pty = await startScreen(directories);
    await pty.sendLine("go");
    await pty.waitFor("Always: git commit * in this workspace (p)");
    await waitUntilKeysCount();
    pty.type("p");
    await pty.waitFor("end 1.");
    await pty.sendLine("again");
    await pty.waitFor(/npm publish[^]*No, and say what to do instead \(i\)/);
    await waitUntilKeysCount();
    pty.type("i");
    await pty.waitFor("What should the agent do instead?");
    await pty.sendLine("use pnpm ship");
    await pty.waitFor("end 2.");
    expect(server.requests[4]?.text).toContain("use pnpm ship");
    await pty.sendLine("/permissions");
    await pty.waitFor("shell.run prefix(git commit *)");
  });

  it("applies a rule that the user adds to the next call, without a new start", async () => {
    const call = { toolCalls: [{ name: "Bash", input: { command: "touch made" } }] };
    const { server, ...directories } = await withModel([call, { text: "Refused." }]);
    const pty = await startScreen(directories, { columns: 120 });
    await pty.sendLine("/permissions deny Bash(touch *)");
    await pty.waitFor("deny Bash(touch *): calls that match are refused from now on.");
    await pty.sendLine("make it");
    const shown = await pty.waitFor("Refused.");
    expect(shown).toContain("The rule Bash(touch *) (from /permissions deny) denies it.");
    expect(existsSync(join(directories.cwd, "made"))).toBe(false);
    expect(server.requests.at(-1)?.text).toContain("Do not work around this.");
  });

  it("gives a message typed during a command to the model with its result", async () => {
    const command = "touch started; until [ -e go ]; do sleep 0.05; done; echo waited";
    const { server, ...directories } = await withModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "I use yarn." },
    ]);
    const pty = await startScreen(directories);
    await pty.sendLine("go");
    await pty.waitFor("Let the agent use Bash?");
    await waitUntilKeysCount();
    pty.type("y");
    await expect.poll(() => existsSync(join(directories.cwd, "started"))).toBe(true);
    await pty.sendLine("use yarn instead");
    await pty.waitFor("queued: use yarn instead");
    await writeFile(join(directories.cwd, "go"), "");
    await pty.waitFor(/> use yarn instead[^]*I use yarn\./);
    expect(server.requests).toHaveLength(2);
    const messages = server.requests.slice(1).flatMap(messagesOf);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(messages.at(-1)?.text).toContain("use yarn instead");
    pty.type(KEY.ctrlD);
    await pty.exit;
    const resumed = startPty({ ...directories, args: ["-c"] });
    await resumed.waitFor("> use yarn instead");
  });

  it("interrupts a slow answer with Ctrl-C, and quits at the second one", async () => {
    const words = Array.from({ length: 200 }, (_, index) => `word${index} `);
    const { server, ...directories } = await withModel([{ text: words, slowMs: 50 }]);
    const pty = await startScreen(directories);
    await pty.sendLine("tell me a long story");
    await pty.waitFor(/word3 [^]*Working · \d+s[^]*Ctrl-C to interrupt/);
    pty.type("and the");
    pty.type(KEY.ctrlC);
    const seen = await pty.waitFor("Interrupted. What should the agent do instead?");
    expect(seen).toContain("and the");
    expect(await server.requests[0]?.closed).toBe("gone");
    pty.type("n");
    pty.type(KEY.ctrlC);
    await pty.waitFor("Press Ctrl-C again to quit");
    pty.type(KEY.ctrlC);
    expect(await pty.exit).toMatchObject({ exitCode: 0 });
  });

  it("keeps a hostile model from steering the terminal", async () => {
    const evil = "\u001B]0;owned\u0007\u001B[2J\u001B]52;c;b3duZWQ=\u0007[here](https://evil.test)";
    const { server: _, ...directories } = await withModel([
      { reasoning: evil, toolCalls: [{ name: "Bash", input: { command: `echo ${evil}` } }] },
      { text: [evil.slice(0, 1), evil.slice(1), " the end"] },
    ]);
    const pty = await startScreen(directories);
    await pty.sendLine("go");
    await pty.waitFor("Let the agent use Bash?");
    await waitUntilKeysCount();
    pty.type("n");
    const seen = await pty.waitFor("the end");
    expect(seen).toContain("(https://evil.test)");
    expect(pty.written()).not.toContain("\u001B]0;owned");
    expect(pty.written()).not.toContain("\u001B]52;");
    expect(pty.written().replaceAll("\u001B]8;;\u0007", "")).not.toContain("\u001B]8;");
  });

  it("accepts a paste of two hundred lines, and fits into forty columns afterwards", async () => {
    const { server, ...directories } = await withModel([
      { text: "Thank you. 日本語もたくさん書きます。".repeat(6) },
    ]);
    const pty = await startScreen(directories);
    const text = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n");
    pty.paste(text);
    await pty.waitFor("[paste #1 +200 lines]");
    pty.type(KEY.enter);
    await pty.waitFor("Thank you.");
    expect(JSON.stringify(server.requests[0]?.body)).toContain("line 0\\nline 1\\n");
    pty.resize(40, 20);
    const seen = await pty.waitFor(/─{40}\n[^]*─{40}\n[^]*context/);
    expect(seen).not.toContain("─".repeat(41));
    expect(seen).toContain("書");
  });

  it("writes no colors when NO_COLOR is set", async () => {
    const { server: _, ...directories } = await withModel([
      { text: "# Title\n\n- `code`\n\n> quote" },
    ]);
    const pty = await startScreen(directories, { env: { NO_COLOR: "1" } });
    await pty.sendLine("go");
    await pty.waitFor("quote");
    pty.type("/");
    await pty.waitFor("/memory");
    const codes = pty
      .written()
      .split("\u001B[")
      .flatMap((part) => /^([\d;]*)m/.exec(part)?.[1]?.split(";") ?? []);
    expect(codes.filter((code) => /^(?:3\d|4\d|9\d|10\d)$/.test(code))).toEqual([]);
  });

  it("refuses a dumb terminal", async () => {
    const pty = startPty({ ...(await createEmptyHome()), env: { TERM: "dumb" } });
    expect(await pty.exit).toMatchObject({ exitCode: 2 });
    expect(await pty.screen()).toContain("caliban -p");
  });

  it.each(["SIGTERM", "SIGHUP", "quit"])("restores the terminal after %s", async (end) => {
    const directories = await createEmptyHome();
    const pty = startPty({
      ...directories,
      command: ["sh", "-c", AND_THEN_STTY, "sh", ...PROGRAM],
    });
    await pty.waitFor(/context \d+%/);
    expect(pty.isCursorHidden()).toBe(true);
    if (end === "quit") pty.type(KEY.ctrlD);
    else process.kill(Number(await readFile(join(directories.cwd, "pid"), "utf8")), end);
    await pty.exit;
    const written = pty.written();
    expect(written).toMatch(/[ ;]icanon[ ;]/);
    expect(written).toMatch(/[ ;]echo[ ;]/);
    expect(pty.isCursorHidden()).toBe(false);
    expect(written.lastIndexOf("\u001B[?2004l")).toBeGreaterThan(
      written.lastIndexOf("\u001B[?2004h"),
    );
    const exitCode = { SIGTERM: 143, SIGHUP: 129, quit: 0 }[end];
    expect(written).toContain(`ended with ${exitCode}`);
  });
});

/** Writes the process id of the program to a file, then prints its exit code and the state of the terminal. */
const AND_THEN_STTY = `sh -c 'echo $$ > pid; exec "$@"' sh "$@"; echo "ended with $?"; stty -a`;

describe("learning from past sessions", () => {
  it("learns in the background, reports it, and uses it in the next session", async () => {
    const directories = await createEmptyHome();
    await mkdir(join(directories.home, ".config/caliban"), { recursive: true });
    const settings = "[memories]\nenabled = true\nmin_rollout_idle_hours = 0\n";
    await writeFile(join(directories.home, ".config/caliban/settings.toml"), settings);
    const first = await startScreen(directories);
    await first.sendLine("remember that we use pnpm in this repository");
    await first.waitFor("✓ memory: saved");
    await first.waitFor("default · ~/app");
    first.type(KEY.ctrlD);
    expect(await first.exit).toMatchObject({ exitCode: 0 });

    const second = await startScreen(directories);
    const line = "memory: learned from 1 session; available in the next session (/memory view)";
    await second.waitFor(`✓ ${line}`);
    const written = second.written();
    expect(written.indexOf("context")).toBeLessThan(written.indexOf("learned from"));
    await second.sendLine("/memory view");
    await second.waitFor(/we use pnpm in this repository[^]*<\/memory-guidance>/);
    await second.sendLine("/memory stats");
    await second.waitFor(/last run +now, done; 1 session read; memory updated/);
    expect(second.written()).not.toContain("ExperimentalWarning");
    second.type(KEY.ctrlD);
    expect(await second.exit).toMatchObject({ exitCode: 0 });
  });
});
