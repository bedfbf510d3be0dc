import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KEY, startPty } from "./support/pty.ts";
import {
  createEmptyHome,
  startScreen,
  waitUntilKeysCount,
  withModel,
} from "./support/scripted-screen.ts";

const WIPE = "\u001B[3J";

function numbered(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

describe("the scrollback", () => {
  it("keeps every line through a storm of resizes, a long table, /clear and /resume", async () => {
    const list = numbered(100, (index) => `- entry ${index}. ${"word ".repeat(index % 30)}`);
    const table = `| a | b |\n|---|---|\n${numbered(40, (index) => `| row ${index}. | ${"x".repeat(index)} |`)}\n\nThe end.`;
    const { server: _, ...directories } = await withModel([{ text: list }, { text: table }]);
    const pty = await startScreen(directories, { columns: 100, rows: 24 });
    await pty.sendLine("list");
    await pty.waitFor("entry 99.");
    for (const [columns, rows] of [
      [60, 24],
      [100, 10],
      [30, 8],
      [140, 40],
      [80, 20],
      [100, 24],
    ] as const) {
      for (const step of [3, 2, 1, 0]) pty.resize(columns + step, rows + step);
      // The frame after the storm.
      await pty.waitFor(new RegExp(`─{${columns}}`));
    }
    const afterStorm = await pty.scrollback();
    for (let index = 0; index < 100; index++) expect(afterStorm).toContain(`entry ${index}.`);
    await pty.sendLine("table");
    await pty.waitFor("The end.");
    const rows = [...(await pty.scrollback()).matchAll(/row (\d+)\./g)].map(([, row]) =>
      Number(row),
    );
    expect(rows).toEqual(Array.from({ length: 40 }, (_row, index) => index));
    await pty.sendLine("/clear");
    await pty.waitFor("New conversation.");
    expect(await pty.screen()).not.toContain("row ");
    await pty.sendLine("/resume");
    await pty.waitFor("Resume which conversation?");
    pty.type(KEY.enter);
    await pty.waitFor("Resumed conversation");
    const all = await pty.scrollback();
    for (let index = 0; index < 100; index++) expect(all).toContain(`entry ${index}.`);
    expect(pty.written()).not.toContain(WIPE);
  });
});

describe("the work of tools", () => {
  it("shows the output of a command while it runs, and its last lines and exit code after", async () => {
    const command =
      "echo started; until [ -e go ]; do sleep 0.05; done; seq 1 40; echo broken >&2; exit 3";
    const { server: _, ...directories } = await withModel([
      { toolCalls: [{ name: "Bash", input: { command } }] },
      { text: "It failed." },
    ]);
    const pty = await startScreen(directories);
    await pty.sendLine("run it");
    await pty.waitFor("Yes, once");
    await waitUntilKeysCount();
    pty.type(KEY.enter);
    await pty.waitFor("│ started");
    await writeFile(join(directories.cwd, "go"), "");
    const live = await pty.waitFor("It failed.");
    expect(live).toMatch(/✗ Bash .* · exit 3/);
    expect(live).toMatch(/… 30 earlier lines\n[^]*│ 40\n\s+│ broken\n/);
    pty.type(KEY.ctrlO);
    await pty.waitFor(/│ 20\n[^]*It failed\./);
    expect(await pty.scrollback()).toMatch(/exit 3\n {2}│ started\n {2}│ 1\n/);
    pty.type(KEY.ctrlO);
    pty.type(KEY.ctrlD);
    await pty.exit;
    const resumed = await startScreen(directories, { args: ["--continue"] });
    const lines = (screen: string): readonly string[] =>
      screen.split("\n").filter((line) => /│|✗|earlier/.test(line));
    expect(lines(await resumed.screen())).toEqual(lines(live));
  });

  it("shows whole lines with numbers before and after a change", async () => {
    const { server: _, ...directories } = await withModel([
      { toolCalls: [{ name: "Read", input: { file_path: "a.ts" } }] },
      {
        toolCalls: [
          { name: "Edit", input: { file_path: "a.ts", old_string: "= 2", new_string: "= 3" } },
        ],
      },
      {
        toolCalls: [
          {
            name: "Write",
            input: { file_path: "a.ts", content: "const a = 1;\nconst b = 4;\nconst c = 3;\n" },
          },
        ],
      },
      { text: "Changed." },
    ]);
    await writeFile(join(directories.cwd, "a.ts"), "const a = 1;\nconst b = 2;\nconst c = 3;\n");
    const pty = await startScreen(directories, { rows: 40 });
    await pty.sendLine("change it");
    for (const [before, after] of [
      ["2", "3"],
      ["3", "4"],
    ]) {
      const change = new RegExp(
        `1 {3}const a = 1;\\n {2}2 - const b = ${before};\\n {2}2 \\+ const b = ${after};\\n {2}3 {3}const c = 3;[^]*Yes, once`,
      );
      await pty.waitFor(change);
      await waitUntilKeysCount();
      pty.type("y");
    }
    const seen = await pty.waitFor("Changed.");
    for (const name of ["Edit", "Write"]) {
      expect(seen).toMatch(
        new RegExp(`● ${name} a.ts · \\+1 −1\\n {2}1 {3}const a = 1;\\n {2}2 - const b = \\d;`),
      );
    }
  });
});

describe("the search at the prompt", () => {
  it("marks matches without asterisks, and leaves out the running session", async () => {
    const pty = await startScreen(await createEmptyHome());
    await pty.sendLine("remember that we deploy with pnpm ship");
    await pty.waitFor("✓ memory: saved deploy-pnpm-ship");
    await pty.sendLine("/memory search deploy");
    const seen = await pty.waitFor(/Topics\n\s+deploy-pnpm-ship/);
    expect(seen).not.toMatch(/Past sessions|\*\*/);
    expect(pty.written()).toContain("\u001B[1mdeploy\u001B[22m");
  });
});

describe("the list of conversations", () => {
  it("leaves out runs of scripts, unless there is nothing else", async () => {
    const directories = await createEmptyHome();
    await startPty({ ...directories, args: ["-p", "list in a script"] }).exit;
    const only = await startScreen(directories, { args: ["--resume"] });
    await only.waitFor(/Resume which conversation\?\n[^]*list in a script/);
    only.type(KEY.escape);
    await only.waitFor("Ask, or type /");
    await only.sendLine("asked on the screen");
    await only.waitFor(/> asked on the screen[^]*context \d+%/);
    only.type(KEY.ctrlD);
    await only.exit;
    const both = await startScreen(directories, { args: ["--resume"] });
    const seen = await both.waitFor(/\(not listed: 1 run of caliban -p, see caliban sessions\)/);
    expect(seen).toContain("asked on the screen");
    expect(seen).not.toContain("list in a script");
  });
});
