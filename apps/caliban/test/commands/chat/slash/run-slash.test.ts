import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atPrompt } from "../../../../src/commands/chat/slash/captured-run.ts";
import { machine, type Machine } from "../../../fake-host.ts";
import { prompt, said } from "./slash-prompt.ts";

const NOTE =
  "---\nname: ports\ndescription: The port\nmetadata:\n  type: project\n---\n\nThe port is 4100.\n";

async function withNote(): Promise<Machine> {
  const place = await machine();
  await place
    .with({ readInput: async () => "The port is 4100.\n" })
    .caliban("memory", "write", "ports", "--type", "project", "--description", "The port");
  return place;
}

describe("slash commands", () => {
  it("/memory prints what the command line prints", async () => {
    const place = await withNote();
    const { type } = await prompt(place);
    for (const words of [["list"], ["show", "ports"], ["search", "port"], ["log"], ["doctor"]]) {
      const there = await place
        .with({ isTerminal: true, hasBold: true })
        .caliban("memory", ...words);
      const here = await type(`/memory ${words.join(" ")}`);
      const text = "text" in here ? here.text : "";
      expect(text.replaceAll(place.slug, "SLUG").replaceAll(place.home, "~")).toBe(
        there.stderr + there.stdout,
      );
    }
  });

  it("/permissions adds rules to the conversation and to the settings of the user", async () => {
    const place = await machine();
    const { type, log } = await prompt(place);
    expect((await said(type("/permissions allow Bash(pnpm test *)"))).text).toBe(
      "allow Bash(pnpm test *): calls that match run without a question from now on.",
    );
    await type("/permissions allow Bash(git commit -m *)");
    // Quoted as in a shell.
    await type("/permissions deny 'fs.write'");
    expect(log).toEqual([
      "allow Bash(pnpm test *)",
      "allow Bash(git commit -m *)",
      "deny fs.write",
    ]);
    const settings = await readFile(join(place.home, ".config/caliban/settings.toml"), "utf8");
    expect(settings).toMatch(
      /allow = \[\s*"Bash\(pnpm test \*\)",\s*"Bash\(git commit -m \*\)",?\s*\]/,
    );
    expect(settings).toMatch(/deny = \[\s*"fs\.write",?\s*\]/);
    expect((await said(type("/permissions"))).text).toContain("allow  Bash(pnpm test *)");
    expect((await said(type("/permissions allow fs.write"))).text).toContain(
      "It has no effect yet: deny takes precedence",
    );
  });

  it.each([
    ["/permissions allow", "missing rule. Usage: /permissions allow <rule>"],
    ["/permissions deny Bash(rm", "unbalanced parentheses"],
    ["/permissions deny memry", "did you mean memory"],
    ["/permissions alow Bash", "unknown mode"],
  ])("%s reports what is wrong, and stores nothing", async (line, problem) => {
    const place = await machine();
    const { type, log } = await prompt(place);
    const { kind, text } = await said(type(line));
    expect(kind).toBe("error");
    expect(text).toContain(problem);
    expect(log).toEqual([]);
  });

  it.each([
    ["/model opus", "model anthropic/claude-opus-5-5"],
    ["/model anthropic/haiku", "model anthropic/claude-haiku-5-5"],
    ["/model anthropic/claude-opus-5-5-20261001", "model anthropic/claude-opus-5-5-20261001"],
    ["/model anthropic/claude-next --force", "model anthropic/claude-next"],
    ["/model ollama/anything", "model ollama/anything"],
    ["/model openrouter/a/b", "model openrouter/a/b"],
  ])("%s switches to the one model that matches", async (line, expected) => {
    const { type, log } = await prompt(await machine());
    await type(line);
    expect(log).toEqual([expected]);
  });

  it.each([
    ["/model anthropic/claude-opsu-5-5", "Did you mean anthropic/claude-opus-5-5?"],
    ["/model claude", "several models match"],
    ["/model zzz", 'unknown model "zzz"'],
    ["/mem", "Did you mean /memory?"],
  ])("%s is refused with a suggestion", async (line, problem) => {
    const { type, log } = await prompt(await machine());
    const { kind, text } = await said(type(line));
    expect([kind, log.length]).toEqual(["error", 0]);
    expect(text).toContain(problem);
  });

  it("/memory shows what is remembered", async () => {
    const { type } = await prompt(await withNote());
    expect(await type("/memory")).toMatchObject({
      text: expect.stringMatching(/^\s+ports\s+project\s+today\s+The port\n/),
    });
  });

  it("/memory asks at the prompt, and can undo its changes", async () => {
    const place = await withNote();
    const { type, asked } = await prompt(place);
    expect(await type("/memory rm ports")).toMatchObject({ kind: "text" });
    expect(asked).toEqual(["Remove ports?"]);
    expect(await type("/memory show ports")).toMatchObject({ kind: "error" });
    expect(await type("/memory undo")).toMatchObject({ kind: "text" });
    expect(await type("/memory show ports")).toMatchObject({
      text: expect.stringContaining("4100"),
    });
  });

  it("/memory import shows its plan before it asks", async () => {
    const place = await machine();
    const from = join(place.home, "notes");
    const { mkdir } = await import("node:fs/promises");
    await mkdir(from);
    await writeFile(join(from, "ports.md"), NOTE);
    const { type, asked } = await prompt(place, {});
    expect(await type(`/memory import --from "${from}"`)).toMatchObject({
      text: expect.stringMatching(
        /copied\s+ports[^]*To use it in this conversation: \/memory reload/,
      ),
    });
    expect(await type(`/memory import --from "${from}"`)).not.toMatchObject({
      text: expect.stringContaining("/memory reload"),
    });
    expect(asked).toEqual([expect.stringMatching(/to copy\s+ports[^]*Import 1 file\?$/)]);
  });

  it("/memory write refuses a text that cannot be typed, and says where it can", async () => {
    const { type } = await prompt(await machine());
    const line = "/memory write x --type project --description d";
    const { text } = await said(type(line));
    expect(text).toContain("/remember");
    expect(text).not.toContain("Ctrl-D");
  });

  it("/memory suggests a verb for an unknown one, and describes each in its help", async () => {
    const { type } = await prompt(await machine());
    expect(await type("/memory lst")).toEqual({
      kind: "error",
      text: "unknown subcommand 'lst' for '/memory'; did you mean 'list'?\nRun '/memory help' for usage.\n",
    });
    expect((await said(type("/memory constructor"))).kind).toBe("error");
    const help = await said(type("/memory help"));
    expect(help.text).toMatch(/^\/memory reload +Read memory again/m);
    expect(help.text).toMatch(/^\/memory show <slug> +Show one topic/m);
    expect(help.text).toContain("For the options of a verb: /memory <verb> --help");
    const options = await said(type("/memory rebuild --help"));
    expect(options.text).toMatch(/--now[^]*--recent/);
    expect((await said(type("/memory enqueue --help"))).kind).toBe("text");
  });

  it.each([
    ["/memory show", "'/memory show' requires <slug>"],
    ["/memory mv old", "'/memory mv' requires <new>"],
    ["/memory search", "'/memory search' requires <words...>"],
  ])("reports the missing argument of %s", async (line, problem) => {
    const { type } = await prompt(await machine());
    const { kind, text } = await said(type(line));
    expect(kind).toBe("error");
    expect(text).toMatch(/^'\/memory \w+' requires .*\nRun '\/memory \w+ --help' for usage\.\n$/);
    expect(text).toContain(problem);
    expect((await said(type(`${line} --help`))).kind).toBe("text");
  });

  it.each([
    ["memory undo 3", "/memory undo 3"],
    ["memory --help", "/memory help"],
    ["memory write --help", "/memory write --help"],
    ["settings set memory.auto true", "/settings set memory.auto true"],
    ["sessions", "/resume"],
    ["sessions export x", "caliban sessions export x"],
    ["mcp list", "/mcp"],
    ["mcp approve x", "caliban mcp approve x"],
    ["hooks", "/hooks"],
    ["hooks approve x", "caliban hooks approve x"],
    ["--model a/b", "/model a/b"],
    ["doctor", "caliban doctor"],
  ])("spells '%s' as it is typed at the prompt, if it can be", async (words, spelling) => {
    const { host } = await machine();
    expect(atPrompt(host).command(words)).toBe(spelling);
  });

  it("names commands as they are typed at the prompt, in output, hints and errors", async () => {
    const place = await withNote();
    const { type } = await prompt(place);
    const text = async (line: string): Promise<string> => (await said(type(line))).text;
    expect(await text("/memory show a b")).toBe(
      "unexpected argument 'b' for '/memory show'\nRun '/memory show --help' for usage.\n",
    );
    expect(await text("/memory show zzz")).toContain("List all topics with: /memory list");
    expect(await text("/memory undo zzz")).toContain("to list all, run: /memory log");
    expect(await text("/memory rm ports")).toContain("Restore it with: /memory undo ");
    expect(await text("/memory stats")).toContain("/settings set memories.enabled true");
    expect(await text("/settings get zzz")).toContain("To list all, run: /settings\n");
    expect(await text("/memory rm --help")).toMatch(
      /Usage: \/memory rm \[options\] <slug>[^]*Example:\n {2}\/memory rm deploy-checklist\n/,
    );
  });

  it("never changes a text of the user that reads like a command", async () => {
    const place = await machine();
    const description = "caliban: use caliban memory undo";
    await place
      .with({ readInput: async () => "caliban: run caliban memory undo 3\n" })
      .caliban("memory", "write", "x", "--type", "project", "--description", description);
    const { type } = await prompt(place);
    const { text } = await said(type("/memory show x"));
    expect(text).toContain(`\n${description}\n`);
    expect(text).toContain("\ncaliban: run caliban memory undo 3\n");
  });

  it.each([
    "/clear now",
    "/cost now",
    "/context foo",
    "/skills x",
    "/quit now",
    "/model a/b c",
    "/resume a b",
  ])("rejects the unexpected argument in %s", async (line) => {
    const { type, log } = await prompt(await machine());
    expect((await said(type(line))).kind).toBe("error");
    expect(log).toEqual([]);
  });

  it("rejects a slash without a name", async () => {
    const { type } = await prompt(await machine());
    for (const line of ["/", "//"]) {
      expect(await said(type(line))).toMatchObject({
        kind: "error",
        text: expect.stringContaining("Type /help"),
      });
    }
  });

  it("lists commands in the help with their aliases", async () => {
    const { type } = await prompt(await machine());
    const { text } = await said(type("/help"));
    for (const name of ["/help, /?", "/clear, /new", "/quit, /exit"]) expect(text).toContain(name);
  });

  it("/memory reports the prompt of this conversation, and reloads it on request", async () => {
    const place = await withNote();
    const { type, log } = await prompt(place);
    expect(await type("/memory")).toMatchObject({ text: expect.stringContaining("0 of 32,000") });
    expect(log).toEqual([]);
    expect(await type("/memory reload")).toMatchObject({ kind: "text" });
    expect(log).toEqual(["reload"]);
  });

  it("/memory edit suspends the screen while the editor runs", async () => {
    const place = (await machine()).with({
      env: { EDITOR: "vi" },
      isInteractive: () => true,
      openEditor: async () => 0,
    });
    let suspended = 0;
    const { type } = await prompt(place, {
      suspend: async (action) => {
        suspended += 1;
        return await action();
      },
    });
    expect(await type("/memory edit project")).toMatchObject({ kind: "text" });
    expect(suspended).toBe(1);
  });

  it("/settings gets, sets and unsets a value", async () => {
    const { type } = await prompt(await machine());
    expect(await type("/settings memory.auto")).toEqual({ kind: "text", text: "true\n" });
    expect(await type("/settings memory.auto false")).toMatchObject({
      kind: "text",
      text: expect.stringContaining("Takes effect after a restart"),
    });
    expect(await type("/settings memory.auto")).toEqual({ kind: "text", text: "false\n" });
    expect(await type("/settings unset memory.auto")).toMatchObject({ kind: "text" });
    expect(await type("/settings memroy.auto")).toMatchObject({
      kind: "error",
      text: expect.stringContaining("memory.auto"),
    });
  });

  it("/remember saves a text, and /forget sends a message to the model", async () => {
    const { type, log } = await prompt(await machine());
    expect(await type("/remember we ship on Mondays")).toEqual({
      kind: "text",
      text: "saved we ship on Mondays",
    });
    expect(log).toEqual(["remember we ship on Mondays"]);
    expect(await type("/forget ports")).toEqual({ kind: "send", text: "Forget this: ports" });
    expect(await type("/remember")).toMatchObject({ kind: "error" });
  });

  it("/permissions shows the rules and switches the mode", async () => {
    const { type, log } = await prompt(await machine());
    expect(await type("/permissions")).toMatchObject({
      text: expect.stringContaining("mode   default"),
    });
    await type("/permissions mode plan");
    await type("/permissions accept-edits");
    expect(log).toEqual(["mode plan", "mode accept-edits"]);
    expect((await said(type("/permissions xyzzy"))).text).toContain(
      'unknown mode "xyzzy". Available: default, accept-edits, plan, yolo. Usage: /permissions mode <mode>',
    );
    expect(await type("/permissions mode paln")).toMatchObject({
      kind: "error",
      text: expect.stringContaining("Did you mean plan?"),
    });
  });

  it('/permissions lists the answers "always", and revokes one', async () => {
    const push = 'permission:shell.run(git commit -m "a  b"\nls)';
    const approvals = [push, "permission:fs.write(a.ts)"];
    const { type, log } = await prompt(await machine(), {}, { approvals });
    const { text } = await said(type("/permissions"));
    expect(text).toContain("always 2. fs.write(a.ts)  (your answer)");
    const line = /^always 1\. (shell\.run.*?) {2}\(your/m.exec(text)?.[1] ?? "";
    expect((await said(type(`/permissions forget ${line}`))).kind).toBe("text");
    expect(log).toEqual([`forget ${push}`]);
    expect((await said(type("/permissions"))).text).not.toContain("git commit");
    expect((await said(type("/permissions forget git"))).kind).toBe("error");
    expect((await said(type("/permissions forget"))).text).toContain("1. fs.write(a.ts)");
  });

  it("/permissions shows a long command in one row, which is enough to revoke it", async () => {
    const script = (last: string): string =>
      `permission:shell.run(${Array.from({ length: 60 }, (_, line) => `  echo ${line}`).join("\n")}\n${last})`;
    const approvals = [script("one"), script("two"), "permission:shell.run(ls -l)"];
    const start = async (): ReturnType<typeof prompt> =>
      await prompt(await machine(), {}, { approvals });
    const { type, log } = await start();
    const { text } = await said(type("/permissions"));
    const rows = text.split("\n").filter((line) => line.startsWith("always "));
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(
      /^always 1\. shell\.run\( {2}echo 0 ⏎ echo 1 ⏎ .*… {2}\(your answer\)$/,
    );
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThan(130);
    const cut = /^always 1\. (.*…)/.exec(rows[0] ?? "")?.[1] ?? "";
    const unclear = await said(type(`/permissions forget ${cut}`));
    expect(unclear.kind).toBe("error");
    expect(unclear.text).toMatch(/Use a number:\n1\. .*…\n2\. .*…$/);
    for (const other of ["0", "4", "…", "permission:"]) {
      const { text: none } = await said(type(`/permissions forget ${other}`));
      expect(none).toContain('no "always" matches');
    }
    expect(log).toEqual([]);
    await type("/permissions forget 2");
    await type(`/permissions forget ${cut}`);
    await type("/permissions forget shell.run(ls");
    expect(log).toEqual([1, 0, 2].map((index) => `forget ${approvals[index]}`));
    const again = await start();
    await again.type(`/permissions forget ${script("two").replace("permission:", "")}`);
    expect(again.log).toEqual([`forget ${approvals[1]}`]);
  });

  it("/clear, /model, /resume and /quit act on the conversation", async () => {
    const { type, log } = await prompt(await machine());
    expect(await type("/clear")).toMatchObject({ kind: "switched" });
    expect(await type("/model a/b")).toMatchObject({ kind: "text" });
    expect(await type("/resume 123")).toMatchObject({ kind: "switched" });
    expect(await type("/resume")).toMatchObject({ kind: "error" });
    expect(await type("/quit")).toEqual({ kind: "quit" });
    expect(log).toEqual(["clear", "model a/b", "resume 123"]);
  });

  it("/context shows what fills the context window", async () => {
    const { type } = await prompt(await machine());
    const shown = await type("/context");
    expect("text" in shown ? shown.text : "").toMatchInlineSnapshot(`
      "12,000 of 100,000 tokens (12.0%)
      system prompt    12,000  12.0%  ███
      free             88,000  88.0%"
    `);
  });

  it("/init drafts a CLAUDE.md, writes it with consent, and never overwrites one", async () => {
    const place = await machine({
      "app/README.md": "# The app\n\n[![badge](x)](y)\n\nIt keeps\nthings.\n",
      "app/package.json": '{"scripts":{"zeta":"z","test":"vitest run","pretest":"x"}}',
      "app/Makefile": "all: build\nbuild:\n\tcc\nX := 1\n",
      "app/src/a.ts": "",
    });
    const offline = { model: "offline/rehearsal" };
    const no = await prompt(place, { confirm: async () => false }, offline);
    expect(await no.type("/init")).toMatchObject({ text: "Nothing was written." });
    const yes = await prompt(place, {}, offline);
    expect(await yes.type("/init")).toMatchObject({ kind: "text" });
    const written = await readFile(join(place.home, "app/CLAUDE.md"), "utf8");
    expect(written).toMatchInlineSnapshot(`
      "# The app

      It keeps things.

      ## Commands

      - \`npm run test\`: runs \`vitest run\`
      - \`npm run zeta\`: runs \`z\`
      - \`make all\`
      - \`make build\`

      ## Layout

      - \`src/\`

      ## Conventions

      <!-- Rules that come up again and again in reviews. Comments like this one are not sent to the model. -->
      "
    `);
    expect(await yes.type("/init")).toMatchObject({
      kind: "error",
      text: expect.stringContaining("CLAUDE.md already exists"),
    });
  });

  it("reports a bug with its stack", async () => {
    const { type } = await prompt(await machine(), {
      pick: async () => await Promise.reject(new Error("boom")),
      choose: async () => await Promise.reject(new TypeError("boom")),
    });
    expect(await type("/init")).toMatchObject({
      kind: "error",
      text: expect.stringMatching(/this is a bug in caliban[^]*TypeError: boom/),
    });
  });
});
