import { describe, expect, it, onTestFinished } from "vitest";
import {
  askServer,
  renderServerQuestion,
  type ServerQuestion,
} from "../../src/questions/ask-server.ts";
import { createScreen } from "../../src/screen/screen.ts";
import { createTheme } from "../../src/theme.ts";
import {
  createVirtualTerminal,
  type VirtualTerminal,
} from "../../../../test/support/virtual-terminal.ts";

const theme = createTheme({ color: false });

function questionAbout(args: readonly string[]): ServerQuestion {
  return {
    title: "This repository wants to start the MCP server tools.",
    rows: [
      { label: "runs", text: ["node", ...args].join(" ") },
      { label: "requested by", text: "~/.caliban/settings.toml" },
    ],
    warning: "It runs as a program with your permissions.",
  };
}

it("shows everything that would be started at any width", () => {
  const args = ["x".repeat(500), `${"word ".repeat(300)}END`, "tools/server.js"];
  for (const width of [20, 40, 80, 200]) {
    const { details } = renderServerQuestion(questionAbout(args), { theme, width });
    const text = details
      .map((line) => withoutColors(line).replace(/^ {2}│ /, ""))
      .join("")
      .replaceAll(" ", "");
    for (const argument of args) expect(text).toContain(argument.replaceAll(" ", ""));
    expect(text).toContain("requestedby");
  }
});

function withoutColors(line: string): string {
  const [first = "", ...rest] = line.split("\u001B[");
  return first + rest.map((part) => part.replace(/^[\d;]*m/, "")).join("");
}

describe("the question about a server on the screen", () => {
  const ENTER = "\r";
  const ESCAPE = "\u001B";
  const PAGE_DOWN = "\u001B[6~";

  async function ask(args: readonly string[]): Promise<{
    readonly terminal: VirtualTerminal;
    readonly answer: Promise<string>;
  }> {
    const terminal = createVirtualTerminal();
    // Past the time in which a key counts as typed for something else.
    let nowMs = 0;
    const screen = createScreen({ terminal, color: false, now: () => (nowMs += 10_000) });
    screen.start();
    onTestFinished(() => screen.stop());
    const answer = askServer(screen, questionAbout(args));
    await terminal.waitFor("This repository wants to start");
    return { terminal, answer };
  }

  it.for([
    [ENTER, "no"],
    [ESCAPE, "no"],
    ["n", "no"],
    ["y", "once"],
    ["a", "always"],
  ] as const)("takes the key %j as the answer %s", async ([key, expected]) => {
    const { terminal, answer } = await ask(["tools/server.js"]);
    await terminal.type(key);
    expect(await answer).toBe(expected);
  });

  it("shows the end of a long command at once, and the rest page by page", async () => {
    const args = [...Array.from({ length: 200 }, (_, index) => `argument-${index}`), "--END"];
    const { terminal, answer } = await ask(args);
    const first = await terminal.screen();
    expect(first).toContain("requested by");
    let seen = first;
    for (let page = 0; page < 12; page += 1) {
      await terminal.type(PAGE_DOWN);
      seen += await terminal.screen();
    }
    for (const argument of args) expect(seen).toContain(argument);
    await terminal.type(ESCAPE);
    expect(await answer).toBe("no");
  });
});
