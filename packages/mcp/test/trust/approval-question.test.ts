import * as fc from "fast-check";
import type { ServerSettings } from "@caliban/settings";
import { describe, expect, it, onTestFinished } from "vitest";
import { examineRequest } from "../../src/node/trust/examine-request.ts";
import {
  questionRows,
  renderQuestion,
  type ApprovalQuestion,
} from "../../src/trust/approval-question.ts";
import { visibleText, visibleWord } from "../../src/trust/visible-text.ts";
import { askServer, renderServerQuestion } from "../../../tui/src/questions/ask-server.ts";
import { createScreen } from "../../../tui/src/screen/screen.ts";
import { createTheme } from "../../../tui/src/theme.ts";
import { createVirtualTerminal, type VirtualTerminal } from "../../../../apps/caliban/test/commands/chat/virtual-terminal.ts";
import { wishFor, workspaceWith } from "../node/trust/request-place.ts";

const host = { platform: "linux", home: undefined };
const theme = createTheme({ color: false });

async function questionOf(settings: ServerSettings, isChanged = false): Promise<ApprovalQuestion> {
  const root = await workspaceWith({ "tools/server.js": "serve()", "data/x": "" });
  const wish = await examineRequest(wishFor(settings, { root }), root);
  if ("reason" in wish) throw new Error(wish.reason);
  return { request: wish, isChanged };
}

/** As it is read, with the workspace shown as `~`. */
async function textOf(settings: ServerSettings, isChanged = false): Promise<string> {
  const question = await questionOf(settings, isChanged);
  const { transport } = question.request.server;
  const text = renderQuestion(question, host);
  return transport.kind === "stdio" ? text.replaceAll(transport.cwd, "~") : text;
}

describe("the question", () => {
  it("shows the command, where it runs, what it gets, whose wish it is and what is covered", async () => {
    const settings = {
      command: "node",
      args: ["./tools/server.js", "two words", "", "data"],
      env: { LOG: "off" },
      pass_env: ["GITHUB_TOKEN"],
      tier: "memory",
    } as const;
    expect(await textOf(settings)).toBe(`\
This repository wants to start the MCP server tools.
  runs        node ./tools/server.js "two words" "" data
  in          ~
  sets        LOG=off
  gets your   GITHUB_TOKEN
  is          a tier of memory, looked at on demand
  wished by   ~/.caliban/settings.toml
  covers      ~/tools/server.js
  leaves out  what else is in ~/data: it may change without a question
  note        GITHUB_TOKEN is not set, so it goes without
It is a program that runs as you and can do what you can, and its answers come into the conversation.
`);
  });

  it.for([
    ["https://api.g\u0456thub.com/mcp", "https://api.xn--gthub-n2e.com/mcp"],
    ["https://g\uFF49thub.com/mcp", "https://github.com/mcp"],
    ["https://2130706433/mcp", "https://127.0.0.1/mcp"],
  ])("shows the address that is reached for %s", async ([url, reached]) => {
    expect(await textOf({ url })).toContain(`sends to   ${reached}\n`);
  });

  it("shows an address, and which token is sent there", async () => {
    const text = await textOf(
      { url: "https://x.example/mcp?a=b", token_env: "GITHUB_TOKEN" },
      true,
    );
    expect(text).toMatch(
      /^This repository wants to use the MCP server tools\. It is not as it was/,
    );
    expect(text).toMatch(/^ {2}sends to +https:\/\/x\.example\/mcp\?a=b$/m);
    expect(text).toMatch(/^ {2}sends your +GITHUB_TOKEN$/m);
  });

  it.for([
    ["a\u001B[2Kb", '"a\\u{1b}[2Kb"'],
    ["a\nrm -rf ~", '"a\\u{a}rm -rf ~"'],
    ["a\rb", '"a\\u{d}b"'],
    ["\u202Eevil", '"\\u{202e}evil"'],
    ["a\u200Bb", '"a\\u{200b}b"'],
    ["a\u00A0b", '"a\\u{a0}b"'],
    ["\u3164", '"\\u{3164}"'],
    ["a    b", '"a \\u{20}\\u{20}\\u{20}b"'],
    ['"; x', '"\\"; x"'],
    ["\\u{41}", '"\\\\u{41}"'],
    ["\u{E0041}", '"\\u{e0041}"'],
    ["größe", "größe"],
  ] as const)("shows %j as %s", ([text, expected]) => {
    expect(visibleWord(text)).toBe(expected);
  });

  it("shows two words that are not the same in two ways, in characters that can be seen", () => {
    const character = fc.constantFrom("a", " ", '"', "\\", "\n", "\u202E", "u{a}", "\u200B");
    const word = fc.array(character, { maxLength: 4 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(visibleWord(one) === visibleWord(other)).toBe(one === other);
        expect(visibleWord(one)).toMatch(/^[!-~ ]*$/);
        expect(visibleText(one)).not.toMatch(/ {2}/);
      }),
    );
  });

  it("has everything in its lines at any width, however long it is", async () => {
    const args = ["x".repeat(500), `${"word ".repeat(300)}END`, "tools/server.js"];
    const question = await questionOf({ command: "node", args });
    for (const width of [20, 40, 80, 200]) {
      const words = { title: "", rows: questionRows(question, host), warning: "" };
      const { details } = renderServerQuestion(words, { theme, width });
      const text = details
        .map((line) =>
          line
            .split("\u001B[")
            .map(withoutCode)
            .join("")
            .replace(/^ {2}│ /, ""),
        )
        .join("")
        .replaceAll(" ", "");
      for (const argument of args) expect(text).toContain(argument.replaceAll(" ", ""));
      expect(text).toContain("covers");
    }
  });
});

function withoutCode(part: string, index: number): string {
  return index === 0 ? part : part.replace(/^[\d;]*m/, "");
}

describe("on the screen", () => {
  const ENTER = "\r";
  const ESCAPE = "\u001B";
  const PAGE_DOWN = "\u001B[6~";

  async function asked(settings: ServerSettings): Promise<{
    readonly terminal: VirtualTerminal;
    readonly answer: Promise<string>;
  }> {
    const terminal = createVirtualTerminal();
    // Past the time in which a key is taken for something that was being typed.
    let now = 0;
    const screen = createScreen({ terminal, theme, now: () => (now += 10_000) });
    screen.start();
    onTestFinished(() => screen.stop());
    const answer = askServer(screen, host, await questionOf(settings));
    await terminal.waitFor("This repository wants to start");
    return { terminal, answer };
  }

  it.for([
    [ENTER, "no"],
    [ESCAPE, "no"],
    ["n", "no"],
    ["y", "once"],
    ["a", "always"],
  ] as const)("%j is %s", async ([key, expected]) => {
    const { terminal, answer } = await asked({ command: "node", args: ["tools/server.js"] });
    await terminal.type(key);
    expect(await answer).toBe(expected);
  });

  it("shows the end of a long command at once, and the rest page by page", async () => {
    const args = [...Array.from({ length: 200 }, (_, index) => `argument-${index}`), "--END"];
    const { terminal, answer } = await asked({ command: "node", args });
    const first = await terminal.screen();
    expect(first).toContain("lines are left out here");
    expect(first).toContain("wished by");
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
