import { join } from "node:path";
import type { PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { command, withCommands } from "@caliban/common";
import { describe, expect, it, onTestFinished } from "vitest";
import { NO_OPTIONS } from "../../../../src/command.ts";
import type { Host } from "../../../../src/host.ts";
import { atPrompt } from "../../../../src/commands/chat/slash/captured-run.ts";
import {
  openingQuestions,
  openScreen,
  runTerminal,
  type RunTerminalInput,
} from "../../../../src/commands/chat/terminal/run-terminal.ts";
import { machine } from "../../../fake-host.ts";
import type { Conversation } from "../../../../src/conversation/conversation.ts";
import { fakeConversation, type FakeConversation } from "../fake-conversation.ts";
import {
  createVirtualTerminal,
  type VirtualTerminal,
} from "../../../../../../test/support/virtual-terminal.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_O = "\u000F";
const ENTER = "\r";
const ESCAPE = "\u001B";
const UP = "\u001B[A";
const DOWN = "\u001B[B";
const SHOW_CURSOR = "\u001B[?25h";
const SHIFT_TAB = "\u001B[Z";

interface Running {
  readonly terminal: VirtualTerminal;
  readonly log: readonly string[];
  readonly exit: Promise<number>;
}

async function start(
  conversation: FakeConversation = fakeConversation(),
  changes: Partial<Host> & {
    readonly columns?: number;
    readonly findServers?: RunTerminalInput["findServers"];
  } = {},
): Promise<Running> {
  const { columns, findServers, ...host } = changes;
  const { host: plain } = (await machine()).with({ now: Date.now, ...host });
  const terminal = createVirtualTerminal(columns === undefined ? {} : { columns });
  const invocation = { ...NO_OPTIONS, host: atPrompt(plain) };
  const screen = openScreen(plain, terminal);
  const exit = runTerminal({
    invocation,
    screen,
    conversation: conversation.open(),
    findServers,
  });
  onTestFinished(async () => {
    if (!terminal.isStarted()) return;
    await terminal.type(CTRL_C);
    await terminal.type(CTRL_C);
  });
  await terminal.waitFor("context 12%");
  return { terminal, log: conversation.log, exit };
}

const QUESTION: PermissionQuestion = {
  tool: "Bash",
  permission: "shell",
  input: { command: "npm test\nrm -rf build" },
  subject: "npm test\nrm -rf build",
  reason: "The agent asks before it runs commands.",
  alwaysScope: "this exact command in this workspace",
};

/** A turn that runs until it is interrupted. */
function endless(): FakeConversation {
  return fakeConversation({
    answer: async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { kind: "interrupted" };
    },
  });
}

/** A turn that asks, and the answers it got. */
function asking(question: PermissionQuestion = QUESTION): {
  readonly conversation: FakeConversation;
  readonly answers: readonly PermissionAnswer[];
} {
  const answers: PermissionAnswer[] = [];
  const conversation = fakeConversation({
    answer: async ({ text, ask }) => {
      if (text === "go") answers.push(await ask(question));
    },
  });
  return { conversation, answers };
}

/** A clock on which the user pauses without the test waiting. */
function skippingClock(): { readonly now: () => number; readonly skip: () => void } {
  let skippedMs = 0;
  return {
    now: () => Date.now() + skippedMs,
    skip: () => {
      skippedMs += 600;
    },
  };
}

async function pause(delayMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
}

describe("the screen", () => {
  it("shows the model, the loaded memory, and warnings", async () => {
    const message = "memory: 5 loaded, 1 truncated (/memory explain)";
    const warnings = [{ code: "MEMORY", message }] as const;
    const { terminal } = await start(fakeConversation({ warnings }));
    const seen = await terminal.screen();
    expect(seen).toContain("caliban 1.2.3 · test/scripted · ~/app");
    expect(seen).toContain("memory: empty");
    expect(seen).toContain("! memory: 5 loaded, 1 truncated (/memory explain)");
    expect(seen).not.toContain("Try:");
  });

  it("names the commands of a notice as they are typed here, and leaves other text alone", async () => {
    const conversation = fakeConversation({
      answer: async ({ view, emit }) => {
        const undo = withCommands`memory: deleted x (${command("memory undo 7")})`;
        view.notify({ kind: "memory", ...undo });
        emit({ type: "text-delta", text: "Use caliban memory undo 7." });
      },
    });
    const { terminal } = await start(conversation);
    await terminal.type("forget x");
    await terminal.type(ENTER);
    const seen = await terminal.waitFor("Use caliban memory undo 7.");
    expect(seen).toContain("memory: deleted x (/memory undo 7)");
  });

  it("tells a new user what to try and how to connect a model", async () => {
    const { terminal } = await start(fakeConversation({ model: "offline/rehearsal" }));
    const seen = await terminal.screen();
    // The title, four lines, and a blank one.
    expect(seen.split("\n").indexOf("")).toBe(5);
    expect(seen).toContain('Try: "remember that we deploy with pnpm ship"');
    expect(seen).toContain("ANTHROPIC_API_KEY");
  });

  it("streams an answer, shows a call in one line, and expands it with Ctrl-O", async () => {
    const conversation = fakeConversation({
      answer: async ({ emit }) => {
        emit({ type: "step-start", step: 1 });
        emit({
          type: "tool-call",
          id: "1",
          name: "Read",
          input: { path: "/home/me/app/src/a.ts" },
        });
        const text = "first line\nsecond line";
        emit({ type: "tool-result", id: "1", name: "Read", text, isError: false, durationMs: 3 });
        emit({ type: "step-start", step: 2 });
        emit({ type: "text-delta", text: "It has **two" });
        emit({ type: "text-delta", text: "** lines." });
      },
    });
    const { terminal, log } = await start(conversation);
    await terminal.type(`how long is it?${ENTER}`.slice(0, -1));
    await terminal.type(ENTER);
    const seen = await terminal.waitFor("It has two lines.");
    expect(seen).toContain("> how long is it?");
    expect(seen).toContain("● Read src/a.ts · 2 lines");
    expect(seen).not.toContain("second line");
    expect(log).toContain("send how long is it?");
    await terminal.type(CTRL_O);
    expect(await terminal.waitFor("│ second line")).toContain("│ first line");
    await terminal.type(CTRL_O);
    await terminal.waitFor(/2 lines\n\n\s*It has/);
  });

  it("escapes control sequences of a model and of tools", async () => {
    const evil =
      "\u001B]0;owned\u0007\u001B[31mred\u001B[2J\u009B31m [a](https://x.test/\u001B]8;;y\u0007)";
    const conversation = fakeConversation({
      answer: async ({ emit, view, ask }) => {
        emit({ type: "step-start", step: 1 });
        emit({ type: "reasoning-delta", text: evil });
        emit({
          type: "tool-call",
          id: "1",
          name: `N${evil}`,
          input: { command: evil, [evil]: evil },
        });
        emit({ type: "tool-result", id: "1", name: "N", text: evil, isError: true, durationMs: 1 });
        emit({ type: "text-delta", text: "\u001B" });
        emit({ type: "text-delta", text: `]0;owned\u0007 ${evil}` });
        view.notify({ kind: "general", message: evil });
        await ask({
          tool: `T${evil}`,
          permission: evil,
          input: { command: evil },
          subject: evil,
          reason: evil,
          alwaysScope: evil,
        });
      },
    });
    const { terminal } = await start(conversation);
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Let the agent use");
    await terminal.type(CTRL_O);
    const written = terminal.written();
    expect(written).not.toContain("\u001B]0;owned");
    expect(written).not.toContain("\u009B");
    expect(written.replaceAll("\u001B]8;;\u0007", "")).not.toContain("\u001B]8;");
    expect(written).not.toContain("\u001B[31mred");
  });

  it("escapes the output of a tool when it is expanded", async () => {
    const output = "one\u001B]0;owned\u0007\n\u001B[2J\u009B31mtwo\rthree";
    const conversation = fakeConversation({
      answer: async ({ emit }) => {
        emit({ type: "step-start", step: 1 });
        emit({ type: "tool-call", id: "1", name: "Bash", input: { command: "x" } });
        const result = { id: "1", name: "Bash", text: output, isError: false, durationMs: 1 };
        emit({ type: "tool-result", ...result });
        emit({ type: "text-delta", text: "Done." });
      },
    });
    const { terminal } = await start(conversation);
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Done.");
    await terminal.type(CTRL_O);
    const seen = await terminal.waitFor("two");
    expect(seen).toContain(String.raw`one\u{1b}]0;owned\u{7}`);
    expect(seen).toContain(String.raw`\u{1b}[2J\u{9b}31mtwo\u{d}three`);
    for (const evil of ["\u001B]0;owned", "\u009B", "\u0007\n"])
      expect(terminal.written()).not.toContain(evil);
  });

  it("browses sent messages with Up and Down, including those of a resumed session", async () => {
    const messages = [
      { role: "user", text: "long ago" },
      { role: "assistant", model: "x/y", parts: [{ type: "text", text: "an answer" }] },
      { role: "user", text: "a while ago" },
      { role: "assistant", model: "x/y", parts: [{ type: "text", text: "another" }] },
    ] as const;
    const { terminal, log } = await start(fakeConversation({ messages }));
    await terminal.type("just now");
    await terminal.type(ENTER);
    await terminal.waitFor("> just now");
    await terminal.type("/cost");
    await terminal.type(ENTER);
    await terminal.waitFor("output tokens");
    const typed = (text: string): RegExp => new RegExp(`─\\n\\s*${text}\\s*\\n`);
    for (const text of ["/cost", "just now", "a while ago", "long ago"]) {
      await terminal.type(UP);
      await terminal.waitFor(typed(text));
    }
    await terminal.type(DOWN);
    await terminal.waitFor(typed("a while ago"));
    await terminal.type(ENTER);
    await expect.poll(() => log).toEqual(["send just now", "send a while ago"]);
  });

  it("queues messages while the agent works, and returns them to the prompt on an interrupt", async () => {
    const { terminal, log } = await start(endless());
    await terminal.type("first");
    await terminal.type(ENTER);
    await terminal.waitFor("Working");
    await terminal.type("second");
    await terminal.type(ENTER);
    await terminal.waitFor("queued: second");
    await terminal.type(CTRL_C);
    const seen = await terminal.waitFor("Interrupted. What should the agent do instead?");
    expect(seen).not.toContain("queued");
    expect(seen).toMatch(/─\n\s*second/);
    expect(log.filter((line) => line.startsWith("send"))).toEqual(["send first"]);
  });

  it("gives the messages that wait before a command to the running turn", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const taken: string[] = [];
    const { terminal, log } = await start(
      fakeConversation({
        answer: async ({ text, takeMessages }) => {
          if (text !== "first") return;
          await held;
          taken.push(...takeMessages());
        },
      }),
    );
    for (const text of ["first", "second", "third", "/clear", "fourth"]) {
      await terminal.type(text);
      await terminal.type(ENTER);
    }
    await terminal.waitFor("queued: fourth");
    release();
    await terminal.waitFor("> fourth");
    expect(taken).toEqual(["second", "third"]);
    expect(log).toEqual(["send first", "clear", "send fourth"]);
  });

  it("sends the queued messages when the turn ends", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { terminal, log } = await start(
      fakeConversation({ answer: async ({ text }) => (text === "first" ? await held : undefined) }),
    );
    for (const text of ["first", "second", "third"]) {
      await terminal.type(text);
      await terminal.type(ENTER);
    }
    await terminal.waitFor("queued: third");
    release();
    await terminal.waitFor("> third");
    expect(log).toEqual(["send first", "send second", "send third"]);
  });

  it("interrupts with Ctrl-C or Escape, and quits at the second Ctrl-C", async () => {
    const { terminal, exit, log } = await start(endless());
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Working");
    await terminal.type(ESCAPE);
    await terminal.waitFor("Interrupted");
    await terminal.type("half a thought");
    await terminal.type(CTRL_C);
    expect(await terminal.waitFor("Press Ctrl-C again to quit")).not.toContain("half a thought");
    await terminal.type(CTRL_C);
    expect(await exit).toBe(0);
    expect(log.at(-1)).toBe("close");
    expect(await terminal.screen()).toContain(
      "Resume with: caliban --resume 20261116-120000-abcdef",
    );
  });

  it("quits with Ctrl-D only when the prompt is empty", async () => {
    const { terminal, exit } = await start();
    await terminal.type("x");
    await terminal.type(CTRL_D);
    await terminal.waitFor("context 12%");
    await terminal.type("\u007F");
    await terminal.type(CTRL_D);
    expect(await exit).toBe(0);
    expect(terminal.written().endsWith(SHOW_CURSOR)).toBe(true);
    expect(terminal.drains()).toBeGreaterThan(0);
  });

  it.each([
    ["y", "once"],
    ["1", "once"],
    [ENTER, "once"],
    ["a", "always"],
    ["2", "always"],
    ["\u001B[B\r", "always"],
    ["n", "no"],
    ["3", "no"],
    [ESCAPE, "no"],
  ])("asks about a call, and understands the key %j as %s", async (keys, answer) => {
    const clock = skippingClock();
    const { conversation, answers } = asking();
    const { terminal } = await start(conversation, { now: clock.now });
    await terminal.type("go");
    await terminal.type(ENTER);
    const seen = await terminal.waitFor("Let the agent use Bash?");
    expect(seen).toContain("│ rm -rf build");
    expect(seen).toContain("The agent asks before it runs commands.");
    expect(seen).toContain("this exact command in this workspace");
    clock.skip();
    for (const key of keys.startsWith("\u001B[") ? ["\u001B[B", "\r"] : [keys])
      await terminal.type(key);
    await expect.poll(() => answers).toEqual([answer]);
    await expect
      .poll(async () => await terminal.waitFor("context 12%"))
      .not.toContain("Let the agent use");
  });

  it("takes no answer from a user who is typing a message", async () => {
    const answers: PermissionAnswer[] = [];
    let ask: () => Promise<void> = async () => undefined;
    const { terminal } = await start(
      fakeConversation({
        answer: async ({ ask: askUser }) => {
          await new Promise<void>((resolve) => {
            ask = async () => {
              answers.push(await askUser(QUESTION));
              resolve();
            };
          });
        },
      }),
    );
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Working");
    await terminal.type("and then ma");
    const asked = ask();
    await terminal.waitFor("Let the agent use Bash?");
    for (const key of ["y", "b", "e", " ", "1"]) await terminal.type(key);
    await terminal.waitFor("and then maybe 1");
    await terminal.type(ENTER);
    await terminal.waitFor("queued: and then maybe 1");
    expect(answers).toEqual([]);
    await terminal.type(ESCAPE);
    await asked;
    expect(answers).toEqual(["no"]);
  });

  it.each([
    [30, "yes? hey"],
    [120, "hey, yes"],
  ])(
    "takes no letter of a message for an answer, typed at %i ms a key: %s",
    async (delayMs, sentence) => {
      const clock = skippingClock();
      const { conversation, answers } = asking();
      const { terminal, log } = await start(conversation, { now: clock.now });
      await terminal.type("go");
      await terminal.type(ENTER);
      await terminal.waitFor("Let the agent use Bash?");
      clock.skip();
      for (const key of sentence) {
        await terminal.type(key);
        await pause(delayMs - 30);
      }
      // A long pause in the middle of a word.
      clock.skip();
      await terminal.type("a");
      await pause(250);
      expect(answers).toEqual([]);
      await terminal.waitFor(`${sentence}a`);
      await terminal.type(ENTER);
      await terminal.waitFor(`queued: ${sentence}a`);
      // The next key still belongs to the typing.
      await terminal.type(ENTER);
      expect(answers).toEqual([]);
      clock.skip();
      await terminal.type("n");
      await terminal.waitFor(`> ${sentence}a`);
      expect(answers).toEqual(["no"]);
      expect(log).toEqual(["send go", `send ${sentence}a`]);
    },
  );

  it("ignores keys that arrive together with the question", async () => {
    const { conversation, answers } = asking();
    // On this clock no time passes, however long the test takes.
    const { terminal } = await start(conversation, { now: () => 0 });
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Let the agent use Bash?");
    for (const key of [ENTER, "\u001B[B", ENTER, "y"]) await terminal.type(key);
    await pause(250);
    expect(answers).toEqual([]);
  });

  it("drops a quick answer to a question that has just appeared, and keeps the start of a message", async () => {
    const clock = skippingClock();
    const { conversation, answers } = asking();
    const { terminal, log } = await start(conversation, { now: clock.now });
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Let the agent use Bash?");
    await terminal.type("y");
    await terminal.type(ENTER);
    await terminal.type("y");
    await pause(250);
    expect(answers).toEqual([]);
    clock.skip();
    await terminal.type("n");
    await expect.poll(() => answers).toEqual(["no"]);
    await terminal.waitFor("context 12%");
    await terminal.type(ENTER);
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Let the agent use Bash?");
    for (const key of "yes") await terminal.type(key);
    await terminal.waitFor(/─\n\s*yes/);
    expect(answers).toEqual(["no"]);
    expect(log).toEqual(["send go", "send go"]);
  });

  it("sends no answer to the model that was typed before its question appeared", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const answers: PermissionAnswer[] = [];
    const { terminal, log } = await start(
      fakeConversation({
        answer: async ({ ask }) => {
          await held;
          answers.push(await ask(QUESTION));
        },
      }),
      { now: () => 0 },
    );
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Working");
    await terminal.type("y");
    await terminal.type(ENTER);
    await terminal.waitFor("Not sent: this answers a question, but none is open");
    release();
    await terminal.waitFor("Let the agent use Bash?");
    await pause(250);
    expect(await terminal.screen()).not.toMatch(/─\n\s*y\s*\n/);
    await terminal.type(ESCAPE);
    await expect.poll(() => answers).toEqual(["no"]);
    expect(log).toEqual(["send go"]);
  });

  it("offers the prefix of a command, and takes an instruction instead of a yes", async () => {
    const clock = skippingClock();
    const prefixScope = "git add * and git commit * in this workspace";
    const question = { ...QUESTION, prefixes: ["git add *", "git commit *"], prefixScope };
    const { conversation, answers } = asking(question);
    const { terminal } = await start(conversation, { now: clock.now });
    const go = async (key: string): Promise<void> => {
      await terminal.type("go");
      await terminal.type(ENTER);
      await terminal.waitFor("2. Always: git add * and git commit * in this workspace (p)");
      clock.skip();
      await terminal.type(key);
    };
    await go("p");
    await expect.poll(() => answers).toEqual(["prefix"]);
    await terminal.waitFor("context 12%");
    await go("i");
    await terminal.waitFor("What should the agent do instead?");
    for (const key of "use y 1") await terminal.type(key);
    await terminal.type(ENTER);
    await expect.poll(() => answers).toEqual(["prefix", { instead: "use y 1" }]);
    await terminal.waitFor("context 12%");
    await go("i");
    await terminal.waitFor("What should the agent do instead?");
    await terminal.type(ESCAPE);
    await expect.poll(() => answers.at(-1)).toBe("no");
  });

  it("keeps text that is pasted during a question, and still answers with the arrow keys", async () => {
    const clock = skippingClock();
    const { conversation, answers } = asking();
    const { terminal } = await start(conversation, { now: clock.now });
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Let the agent use Bash?");
    clock.skip();
    await terminal.type("\u001B[200~y\u001B[201~");
    const typing = await terminal.waitFor("Enter queues your message · ↑↓ then Enter answers");
    expect(typing).not.toContain("❯");
    await pause(250);
    expect(answers).toEqual([]);
    await terminal.type("\u001B[B");
    await terminal.waitFor("❯ 1.");
    await terminal.type("\u001B[B");
    expect(await terminal.waitFor("❯ 2.")).toContain("↑↓ and Enter answer ·");
    await terminal.type(ENTER);
    await expect.poll(() => answers).toEqual(["always"]);
    await terminal.waitFor(/─\n\s*y\s/);
  });

  it("keeps the letters of the next command from answering a question", async () => {
    const { terminal } = await start();
    await terminal.type("/init");
    await terminal.type(ENTER);
    await terminal.waitFor("Write this to CLAUDE.md?");
    for (const key of "/memory") await terminal.type(key);
    expect(await terminal.waitFor("/memory [verb …]")).toContain("Write this to CLAUDE.md?");
    await terminal.type(CTRL_C);
    await terminal.waitFor("Nothing was written.");
  });

  it("shows a long command page by page", async () => {
    const line = (index: number): string => `echo ${String(index).padStart(3, "0")}`;
    const lines = Array.from({ length: 60 }, (_, index) => line(index));
    const long = `echo ${"x".repeat(200)}END`;
    const input = { command: [...lines, long, "rm -rf /"].join("\n") };
    const { conversation, answers } = asking({ ...QUESTION, input });
    const { terminal } = await start(conversation);
    await terminal.type("go");
    await terminal.type(ENTER);
    const first = await terminal.waitFor("lines hidden");
    expect(first).toContain("rm -rf /");
    const seen = [first];
    for (const key of ["\u001B[6~", ...Array.from({ length: 7 }, () => CTRL_O)]) {
      await terminal.type(key);
      seen.push(await terminal.screen());
    }
    const all = seen.join("\n");
    for (const each of [...lines, "END"]) expect(all).toContain(each);
    await terminal.type("why");
    // A frame higher than the terminal would be redrawn with every tick of the spinner.
    expect(await terminal.waitFor("Enter queues your message")).toContain("Working");
    expect(answers).toEqual([]);
  });

  it('offers no "always" where it would not be remembered', async () => {
    const { conversation } = asking({ ...QUESTION, allowsAlways: false });
    const { terminal } = await start(conversation);
    await terminal.type("go");
    await terminal.type(ENTER);
    const seen = await terminal.waitFor("Let the agent use Bash?");
    expect(seen).not.toContain("Always");
    expect(seen).toContain("2. No (n)");
  });

  it("replaces the stopping hint once the turn has stopped", async () => {
    const { terminal } = await start(endless());
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Working");
    await terminal.type(CTRL_C);
    await terminal.waitFor("Interrupted.");
    expect(await terminal.waitFor("Press Ctrl-C again to quit")).not.toContain("Stopping");
  });

  it("quits at the second Ctrl-C only without another key in between", async () => {
    const { terminal } = await start();
    await terminal.type(CTRL_C);
    await terminal.type("x");
    await terminal.type(CTRL_C);
    await terminal.waitFor("Press Ctrl-C again to quit");
    expect(terminal.isStarted()).toBe(true);
  });

  it("asks about an import before the conversation is open", async () => {
    const answers: PermissionAnswer[] = [];
    const plain = fakeConversation();
    const clock = skippingClock();
    const { host } = (await machine()).with({ now: clock.now });
    const terminal = createVirtualTerminal();
    const screen = openScreen(host, terminal);
    const { askImport } = openingQuestions(screen, host);
    const open = async (): Promise<Conversation> => {
      const approval = {
        workspace: "/w",
        kind: "import",
        subject: "/etc/notes.md",
        sha256: "",
      } as const;
      answers.push(await askImport(approval));
      return await plain.open();
    };
    const exit = runTerminal({
      invocation: { ...NO_OPTIONS, host },
      screen,
      conversation: open(),
    });
    await terminal.waitFor("imports /etc/notes.md");
    clock.skip();
    await terminal.type("a");
    await terminal.waitFor("context 12%");
    expect(answers).toEqual(["always"]);
    await terminal.type(CTRL_D);
    await exit;
  });

  it("cycles through the modes with Shift+Tab, but never to yolo", async () => {
    const { terminal, log } = await start();
    for (const mode of ["accept-edits", "plan", "default", "accept-edits"]) {
      await terminal.type(SHIFT_TAB);
      await terminal.waitFor(`Mode: ${mode}`);
    }
    expect(log).not.toContain("mode yolo");
  });

  it("completes slash commands, and suggests the nearest one for a typo", async () => {
    const { terminal } = await start();
    await terminal.type("/");
    await terminal.type("c");
    const seen = await terminal.waitFor("/compact [instructions]");
    expect(seen).toContain("/context");
    expect(seen).not.toContain("/quit");
    await terminal.type(CTRL_C);
    await terminal.type("/contxt");
    await terminal.type(ENTER);
    await terminal.waitFor("unknown command /contxt. Did you mean /context?");
  });

  it("collapses two hundred pasted lines, and sends them in full", async () => {
    const { terminal, log } = await start();
    const text = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n");
    await terminal.type(`\u001B[200~${text}\u001B[201~`);
    await terminal.waitFor("+200 lines]");
    await terminal.type(ENTER);
    await terminal.waitFor("line 199");
    expect(log).toEqual([`send ${text}`]);
  });

  it("inserts a line break with a backslash or Alt before Enter", async () => {
    const { terminal, log } = await start();
    await terminal.type("one\\");
    await terminal.type(ENTER);
    await terminal.type("two");
    await terminal.type("\u001B\r");
    await terminal.type("three");
    await terminal.type(ENTER);
    await terminal.waitFor("three");
    expect(log).toEqual(["send one\ntwo\nthree"]);
  });

  it("fits wide characters when the terminal becomes narrow", async () => {
    const wide = "日本語のとても長い行です。".repeat(10);
    const { terminal } = await start(
      fakeConversation({
        answer: async ({ emit }) => {
          emit({ type: "step-start", step: 1 });
          emit({ type: "text-delta", text: `${wide}\n\n| a | b |\n|---|---|\n| ${wide} | x |` });
          emit({ type: "tool-call", id: "1", name: "Bash", input: { command: wide } });
        },
      }),
    );
    await terminal.type(`go ${wide}`);
    await terminal.type(ENTER);
    await terminal.waitFor("Bash");
    for (const columns of [40, 20, 100]) {
      terminal.resize(columns, 24);
      const seen = await terminal.waitFor("context 12%");
      expect(Math.max(...seen.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it.each([3, 60])(
    "clears the screen with /clear, and keeps an answer of %i lines in the scrollback",
    async (count) => {
      const text = Array.from({ length: count }, (_, index) => `- line ${index}.`).join("\n");
      const conversation = fakeConversation({
        answer: async ({ emit }) => {
          emit({ type: "step-start", step: 1 });
          emit({ type: "text-delta", text });
        },
      });
      const { terminal } = await start(conversation);
      await terminal.type("go");
      await terminal.type(ENTER);
      await terminal.waitFor(`line ${count - 1}.`);
      await terminal.type("/clear");
      await terminal.type(ENTER);
      await terminal.waitFor("> /clear");
      await expect.poll(terminal.screen).not.toContain("line ");
      const kept = await terminal.scrollback();
      for (let index = 0; index < count; index++) {
        expect(kept.split(`line ${index}.`)).toHaveLength(2);
      }
      expect(terminal.written()).not.toContain("\u001B[3J");
    },
  );

  it("writes no colors when NO_COLOR is set", async () => {
    const conversation = fakeConversation({
      answer: async ({ emit, view }) => {
        emit({ type: "step-start", step: 1 });
        emit({ type: "text-delta", text: "# Title\n\n- `code`\n\n> quote\n\n```js\nx\n```" });
        emit({
          type: "tool-call",
          id: "1",
          name: "Edit",
          input: { old_string: "a", new_string: "b" },
        });
        view.notify({ kind: "memory", message: "memory: saved one (project: x)" });
      },
    });
    const plain = await start(conversation, { env: { NO_COLOR: "1" } });
    await plain.terminal.type("go");
    await plain.terminal.type(ENTER);
    await plain.terminal.waitFor("✓ memory: saved one");
    await plain.terminal.type("/");
    await plain.terminal.waitFor("/memory");
    expect(colors(plain.terminal.written())).toEqual([]);
    const colored = await start(conversation, { env: {} });
    await colored.terminal.type("go");
    await colored.terminal.type(ENTER);
    await colored.terminal.waitFor("✓ memory: saved one");
    expect(colors(colored.terminal.written())).not.toEqual([]);
  });

  it("refuses a dumb terminal, and says what to use instead", async () => {
    const { host } = (await machine()).with({ env: { TERM: "dumb" } });
    const terminal = createVirtualTerminal({});
    expect(() => openScreen(host, terminal)).toThrow("caliban -p");
    expect(terminal.written()).toBe("");
  });

  it("restores the terminal after a bug", async () => {
    const { exit, terminal } = await start(
      fakeConversation({ answer: async () => await Promise.reject(new TypeError("a bug")) }),
    );
    await terminal.type("go");
    const outcome = exit.catch(String);
    await terminal.type(ENTER);
    expect(await outcome).toBe("TypeError: a bug");
    expect(terminal.isStarted()).toBe(false);
    expect(terminal.written().endsWith(SHOW_CURSOR)).toBe(true);
  });

  it("answers an open question with no when it quits", async () => {
    const answers: PermissionAnswer[] = [];
    const { terminal, exit, log } = await start(
      fakeConversation({
        answer: async ({ ask }) => {
          for (const _ of [1, 2, 3]) answers.push(await ask(QUESTION));
        },
      }),
    );
    await terminal.type("go");
    await terminal.type(ENTER);
    await terminal.waitFor("Let the agent use Bash?");
    await terminal.type(CTRL_C);
    await terminal.type(CTRL_C);
    expect(await exit).toBe(0);
    await expect.poll(() => answers).toEqual(["no", "no", "no"]);
    expect(log).toContain("interrupt");
  });

  it("shows a command above its question, and a compaction in progress", async () => {
    const { terminal, log } = await start();
    await terminal.type("/init");
    await terminal.type(ENTER);
    expect(await terminal.waitFor("Write this to CLAUDE.md?")).toContain("> /init");
    await terminal.type(ESCAPE);
    await terminal.waitFor("Nothing was written.");
    await terminal.type("/forget it");
    await terminal.type(ENTER);
    expect(await terminal.waitFor("> Forget this: it")).not.toContain("> /forget");
    await terminal.type("# the port is 4100");
    await terminal.type(ENTER);
    await terminal.waitFor(/> # the port is 4100[^]*saved the port is 4100/);
    await terminal.type("/compact the ports");
    await terminal.type(ENTER);
    await terminal.waitFor("> /compact the ports");
    expect(log).toEqual(["send Forget this: it", "remember the port is 4100", "compact the ports"]);
  });

  it("restores the terminal on a signal, and does not touch it when the start fails", async () => {
    let interrupt: (reason: "SIGTERM") => void = () => undefined;
    const { exit, terminal } = await start(endless(), {
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
    });
    interrupt("SIGTERM");
    expect(await exit).toBe(143);
    expect(terminal.isStarted()).toBe(false);
    const { host } = await machine();
    const other = createVirtualTerminal();
    const failing = runTerminal({
      invocation: { ...NO_OPTIONS, host },
      screen: openScreen(host, other),
      conversation: Promise.reject(new Error("no model")),
    });
    await expect(failing).rejects.toThrow("no model");
    // Not even a capability query, whose reply the shell would read.
    expect(other.written()).toBe("");
  });
});

/** The color codes among the text attributes. */
function colors(written: string): readonly string[] {
  return written
    .split("\u001B[")
    .flatMap((part) => /^([\d;]*)m/.exec(part)?.[1]?.split(";") ?? [])
    .filter((code) => /^(?:3[0-8]|4[0-8]|9\d|10\d)$/.test(code));
}

it("compares a write with the file that is really affected, not with one of the same name", async () => {
  const { home } = await machine({
    "app/a.txt": "rootfile\n",
    "app/sub/a.txt": "IMPORTANT\n",
  });
  const question: PermissionQuestion = {
    tool: "Write",
    permission: "fs.write",
    input: { file_path: "a.txt", content: "rootfile\n" },
    subject: "sub/a.txt",
    reason: "The agent asks before it writes files.",
    alwaysScope: "this exact path in this workspace",
  };
  const conversation = fakeConversation({
    receipt: { workspaceRoot: join(home, "app") },
    answer: async ({ ask }) => void (await ask(question)),
  });
  const { terminal } = await start(conversation);
  await terminal.type("go");
  await terminal.type(ENTER);
  await terminal.waitFor("Write sub/a.txt (requested as a.txt)?");
  expect(await terminal.waitFor("- IMPORTANT")).not.toContain("no change");
  await terminal.type(ESCAPE);
});

describe("model servers on this machine", () => {
  const server = { provider: "ollama", baseUrl: "http://localhost:11434/v1", models: ["qwen3"] };

  it("shows how to use a server that answers while the offline model is used", async () => {
    const conversation = fakeConversation({ model: "offline/rehearsal" });
    const { terminal } = await start(conversation, { findServers: async () => [server] });
    await terminal.waitFor("To use it: /model ollama/qwen3");
    expect(terminal.isStarted()).toBe(true);
  });

  it("looks for no server when another model is used", async () => {
    const asked: string[] = [];
    const findServers: RunTerminalInput["findServers"] = async () => {
      asked.push("asked");
      return [server];
    };
    const { terminal } = await start(fakeConversation(), { findServers });
    await terminal.type("/cost");
    await terminal.type(ENTER);
    await terminal.waitFor("input tokens");
    expect(asked).toEqual([]);
  });
});
