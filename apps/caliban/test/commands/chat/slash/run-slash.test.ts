import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { promptWords } from "../../../../src/commands/chat/slash/prompt-words.ts";
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
  it("of memory say what the command line says", async () => {
    const place = await withNote();
    const { type } = await prompt(place);
    for (const words of [["list"], ["show", "ports"], ["search", "port"], ["log"], ["doctor"]]) {
      const there = await place.with({ isTerminal: true }).caliban("memory", ...words);
      const here = await type(`/memory ${words.join(" ")}`);
      const text = "text" in here ? here.text : "";
      expect(text.replaceAll(place.slug, "SLUG").replaceAll(place.home, "~")).toBe(
        (there.stderr + there.stdout)
          .replaceAll("caliban memory", "/memory")
          // Bold on a terminal; the screen shows no control characters.
          .replaceAll("\u001B[1m", "**")
          .replaceAll("\u001B[22m", "**"),
      );
    }
  });

  it("of memory ask in the prompt, and take back what was done", async () => {
    const place = await withNote();
    const { type, asked } = await prompt(place);
    expect(await type("/memory rm ports")).toMatchObject({ kind: "text" });
    expect(asked).toEqual(["Remove ports?"]);
    expect(await type("/memory show ports")).toMatchObject({ kind: "mistake" });
    expect(await type("/memory undo")).toMatchObject({ kind: "text" });
    expect(await type("/memory show ports")).toMatchObject({
      text: expect.stringContaining("4100"),
    });
  });

  it("of memory show the plan of an import before they ask", async () => {
    const place = await machine();
    const from = join(place.home, "notes");
    const { mkdir } = await import("node:fs/promises");
    await mkdir(from);
    await writeFile(join(from, "ports.md"), NOTE);
    const { type, asked } = await prompt(place, {});
    expect(await type(`/memory import --from "${from}"`)).toMatchObject({
      text: expect.stringMatching(/copied\s+ports[^]*\/memory reload puts it into/),
    });
    expect(await type(`/memory import --from "${from}"`)).not.toMatchObject({
      text: expect.stringContaining("/memory reload"),
    });
    expect(asked).toEqual([expect.stringMatching(/to copy\s+ports[^]*Take over 1\?$/)]);
  });

  it("of memory refuse a text that cannot be typed, and say where it can", async () => {
    const { type } = await prompt(await machine());
    const line = "/memory write x --type project --description d";
    const { text } = await said(type(line));
    expect(text).toContain("/remember");
    expect(text).not.toContain("Ctrl-D");
  });

  it("of memory name the verbs for a word that is none, and tell what each does", async () => {
    const { type } = await prompt(await machine());
    const { kind, text } = await said(type("/memory ls"));
    expect(kind).toBe("mistake");
    expect(text).toContain("Did you mean /memory list?");
    expect(text).toContain("explain, list, show");
    expect((await said(type("/memory constructor"))).kind).toBe("mistake");
    const help = await said(type("/memory help"));
    expect(help.text).toMatch(/^\/memory reload +Read memory again/m);
    expect(help.text).toMatch(/^\/memory show <slug> +Show one topic/m);
    expect(help.text).toMatch(/^\/memory rebuild .*--now --recent/m);
    expect(help.text).toMatch(/^\/memory undo \[id\] .*--generation/m);
  });

  it.each([
    ["/memory show", "Say which: /memory show <slug>"],
    ["/memory rm --yes", "Say which: /memory rm <slug>"],
    ["/memory mv old", "Say which: /memory mv <slug> <new>"],
    ["/memory search", "Say what: /memory search <words...>"],
  ])("of memory say what is missing behind a verb: %s", async (line, text) => {
    const { type } = await prompt(await machine());
    expect(await type(line)).toEqual({ kind: "mistake", text });
    expect((await said(type(`${line} --help`))).text).not.toBe(text);
  });

  it("say what is typed in the prompt, and nothing of a shell", async () => {
    const { type } = await prompt(await machine());
    expect((await said(type("/memory show a b"))).text).toContain("Run '/memory help'");
    expect(promptWords("no session x; `caliban sessions` lists them")).toContain("`/resume` lists");
    expect(promptWords("set a key, or use --model offline/rehearsal.")).toContain(
      "or use /model offline/rehearsal",
    );
    expect(promptWords("memory: saved x (caliban memory undo 7)")).toContain("(/memory undo 7)");
    expect(promptWords("caliban sessions export x")).toBe("caliban sessions export x");
  });

  it.each([
    "/clear now",
    "/cost now",
    "/context foo",
    "/skills x",
    "/quit now",
    "/model a/b c",
    "/resume a b",
  ])("do not pass over what they cannot use: %s", async (line) => {
    const { type, log } = await prompt(await machine());
    expect((await said(type(line))).kind).toBe("mistake");
    expect(log).toEqual([]);
  });

  it("are none without a name", async () => {
    const { type } = await prompt(await machine());
    for (const line of ["/", "//"]) {
      expect(await said(type(line))).toMatchObject({
        kind: "mistake",
        text: expect.stringContaining("/help lists them"),
      });
    }
  });

  it("stand in the help with all their names", async () => {
    const { type } = await prompt(await machine());
    const { text } = await said(type("/help"));
    for (const name of ["/help, /?", "/clear, /new", "/quit, /exit"]) expect(text).toContain(name);
  });

  it("of memory tell from the prompt that is frozen, and read again on request", async () => {
    const place = await withNote();
    const { type, log } = await prompt(place);
    expect(await type("/memory")).toMatchObject({ text: expect.stringContaining("0 of 32,000") });
    expect(log).toEqual([]);
    expect(await type("/memory reload")).toMatchObject({ kind: "text" });
    expect(log).toEqual(["reload"]);
  });

  it("open an editor while the screen is away", async () => {
    const place = (await machine()).with({
      env: { EDITOR: "vi" },
      isInteractive: () => true,
      openEditor: async () => 0,
    });
    let lent = 0;
    const { type } = await prompt(place, {
      lend: async (use) => {
        lent += 1;
        return await use();
      },
    });
    expect(await type("/memory edit project")).toMatchObject({ kind: "text" });
    expect(lent).toBe(1);
  });

  it("of settings get, set and unset a value", async () => {
    const { type } = await prompt(await machine());
    expect(await type("/settings memory.auto")).toEqual({ kind: "text", text: "true\n" });
    expect(await type("/settings memory.auto false")).toMatchObject({
      kind: "text",
      text: expect.stringContaining("from the next start"),
    });
    expect(await type("/settings memory.auto")).toEqual({ kind: "text", text: "false\n" });
    expect(await type("/settings unset memory.auto")).toMatchObject({ kind: "text" });
    expect(await type("/settings memroy.auto")).toMatchObject({
      kind: "mistake",
      text: expect.stringContaining("memory.auto"),
    });
  });

  it("to remember and forget are words for the model", async () => {
    const { type } = await prompt(await machine());
    expect(await type("/remember we ship on Mondays")).toEqual({
      kind: "send",
      text: "Remember this: we ship on Mondays",
    });
    expect(await type("/forget ports")).toEqual({ kind: "send", text: "Forget this: ports" });
    expect(await type("/remember")).toMatchObject({ kind: "mistake" });
  });

  it("of permissions show the rules and change the mode", async () => {
    const { type, log } = await prompt(await machine());
    expect(await type("/permissions")).toMatchObject({
      text: expect.stringContaining("mode   default"),
    });
    await type("/permissions mode plan");
    await type("/permissions accept-edits");
    expect(log).toEqual(["mode plan", "mode accept-edits"]);
    expect((await said(type("/permissions xyzzy"))).text).toContain(
      "The modes are default, accept-edits, plan, yolo: /permissions mode <mode>.",
    );
    expect(await type("/permissions mode paln")).toMatchObject({
      kind: "mistake",
      text: expect.stringContaining("Did you mean plan?"),
    });
  });

  it("of permissions show what was answered always, and take it back", async () => {
    const push = 'permission:shell.run(git commit -m "a  b"\nls)';
    const approvals = [push, "permission:fs.write(a.ts)"];
    const { type, log } = await prompt(await machine(), {}, { approvals });
    const { text } = await said(type("/permissions"));
    expect(text).toContain("always 2. fs.write(a.ts)  (you said so)");
    const line = /^always 1\. (shell\.run.*?) {2}\(you/m.exec(text)?.[1] ?? "";
    expect((await said(type(`/permissions forget ${line}`))).kind).toBe("text");
    expect(log).toEqual([`forget ${push}`]);
    expect((await said(type("/permissions"))).text).not.toContain("git commit");
    expect((await said(type("/permissions forget git"))).kind).toBe("mistake");
    expect((await said(type("/permissions forget"))).text).toContain("1. fs.write(a.ts)");
  });

  it("of permissions show a long command in one row, which is enough to take it back", async () => {
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
      /^always 1\. shell\.run\( {2}echo 0 ⏎ echo 1 ⏎ .*… {2}\(you said so\)$/,
    );
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThan(130);
    const cut = /^always 1\. (.*…)/.exec(rows[0] ?? "")?.[1] ?? "";
    const unclear = await said(type(`/permissions forget ${cut}`));
    expect(unclear.kind).toBe("mistake");
    expect(unclear.text).toMatch(/take its number\.\n1\. .*…\n2\. .*…$/);
    for (const other of ["0", "4", "…", "permission:"]) {
      const { text: none } = await said(type(`/permissions forget ${other}`));
      expect(none).toContain("Nothing was answered");
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

  it("of the conversation do what they say", async () => {
    const { type, log } = await prompt(await machine());
    expect(await type("/clear")).toMatchObject({ kind: "renewed" });
    expect(await type("/model a/b")).toMatchObject({ kind: "text" });
    expect(await type("/resume 123")).toMatchObject({ kind: "renewed" });
    expect(await type("/resume")).toMatchObject({ kind: "mistake" });
    expect(await type("/quit")).toEqual({ kind: "quit" });
    expect(log).toEqual(["clear", "model a/b", "resume 123"]);
  });

  it("show what fills the window", async () => {
    const { type } = await prompt(await machine());
    const shown = await type("/context");
    expect("text" in shown ? shown.text : "").toMatchInlineSnapshot(`
      "12,000 of 100,000 tokens (12.0%)
      system prompt    12,000  12.0%  ███
      free             88,000  88.0%"
    `);
  });

  it("draft a CLAUDE.md from what is there, write it on a yes, and never over another one", async () => {
    const place = await machine({
      "app/README.md": "# The app\n\n[![badge](x)](y)\n\nIt keeps\nthings.\n",
      "app/package.json": '{"scripts":{"zeta":"z","test":"vitest run","pretest":"x"}}',
      "app/Makefile": "all: build\nbuild:\n\tcc\nX := 1\n",
      "app/src/a.ts": "",
    });
    const no = await prompt(place, { confirm: async () => false });
    expect(await no.type("/init")).toMatchObject({ text: "Nothing was written." });
    const yes = await prompt(place);
    expect(await yes.type("/init")).toMatchObject({ kind: "text" });
    const written = await readFile(join(place.home, "app/CLAUDE.md"), "utf8");
    expect(written).toMatchInlineSnapshot(`
      "# The app

      It keeps things.

      ## Commands

      - \`npm run test\`: runs \`vitest run\`
      - \`npm run zeta\`: runs \`z\`
      - \`make all\`: all
      - \`make build\`: build

      ## Layout

      - \`src/\`

      ## Conventions

      <!-- What reviewers say again and again. Lines like this one are not sent to the model. -->
      "
    `);
    expect(await yes.type("/init")).toMatchObject({
      kind: "mistake",
      text: expect.stringContaining("CLAUDE.md is there already"),
    });
  });

  it("that failed are told in words, and a bug with its stack", async () => {
    const { type } = await prompt(await machine(), {
      pick: async () => await Promise.reject(new Error("boom")),
      confirm: async () => await Promise.reject(new TypeError("boom")),
    });
    expect(await type("/init")).toMatchObject({
      kind: "mistake",
      text: expect.stringMatching(/this is a bug in caliban[^]*TypeError: boom/),
    });
  });
});
