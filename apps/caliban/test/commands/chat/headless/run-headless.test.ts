import { shellCommand } from "@caliban/common";
import { describe, expect, it } from "vitest";
import type { InputMessage } from "../../../../src/commands/chat/headless/input-messages.ts";
import { runHeadless } from "../../../../src/commands/chat/headless/run-headless.ts";
import { listenForInterrupt } from "../../../../src/commands/interruption.ts";
import type { InterruptReason } from "../../../../src/host.ts";
import type {
  AnswerOutput,
  AnswerSink,
} from "../../../../src/commands/chat/headless/output/answer-output.ts";
import {
  createJsonOutput,
  createStreamJsonOutput,
} from "../../../../src/commands/chat/headless/output/json.ts";
import { createTextOutput } from "../../../../src/commands/chat/headless/output/text.ts";
import {
  calls,
  says,
  type ScriptedConversation,
  scriptedConversation,
  type ScriptedTurn,
  USAGE,
} from "./scripted-conversation.ts";

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunInput {
  readonly conversation: ScriptedConversation;
  readonly format?: (sink: AnswerSink) => AnswerOutput;
  readonly isTerminal?: boolean;
  readonly messages?: readonly InputMessage[];
  /** Arrives as soon as a message was sent. */
  readonly interrupt?: InterruptReason;
}

async function run(input: RunInput): Promise<Ended> {
  const { conversation, format = createTextOutput, isTerminal = false, interrupt } = input;
  const printed = { stdout: "", stderr: "" };
  let now = 0;
  const exitCode = await runHeadless({
    host: { version: "1.2.3", now: () => (now += 5) },
    conversation: conversation.conversation,
    interruption: listenForInterrupt({
      onInterrupt: (listener) => {
        if (interrupt !== undefined) onceSent(conversation, () => listener(interrupt));
        return () => undefined;
      },
    }),
    messages: () => input.messages ?? [{ type: "user", text: "hello" }],
    output: format({
      isTerminal,
      command: shellCommand,
      stdout: (text) => void (printed.stdout += text),
      stderr: (text) => void (printed.stderr += text),
      report: (message) => void (printed.stderr += `caliban: ${message}\n`),
    }),
  });
  return { exitCode, ...printed };
}

function onceSent({ sent }: ScriptedConversation, action: () => void): void {
  const timer = setInterval(() => {
    if (sent.length === 0) return;
    clearInterval(timer);
    action();
  }, 1);
}

const DENIED: ScriptedTurn = {
  events: [
    ...calls("Bash", {
      text: "Bash was not run. Use --allow. Go on without it.",
      isError: true,
      data: { code: "DENIED", message: "Bash was not run. Use --allow." },
    }),
    ...says("I could not run it."),
  ],
};
const FAILED: ScriptedTurn = {
  outcome: {
    kind: "failed",
    failure: { code: "auth", message: "The key is wrong.", isTransient: false },
  },
};

describe("text output", () => {
  it("prints only the last message to stdout, and notices to stderr", async () => {
    const events = [...calls("Read", { text: "1\tx" }), ...says("It is x.")];
    const conversation = scriptedConversation([
      {
        events,
        notices: [
          { kind: "memory", message: "memory: saved x (project: X)" },
          { kind: "general", message: "session s is not being saved" },
        ],
      },
    ]);
    expect(await run({ conversation })).toEqual({
      exitCode: 0,
      stdout: "It is x.\n",
      stderr: "memory: saved x (project: X)\ncaliban: session s is not being saved\n",
    });
    expect(conversation.sent).toEqual(["hello"]);
    expect(conversation.closed()).toBe(1);
  });

  it("never asks for permission without a screen", async () => {
    const conversation = scriptedConversation([]);
    await run({ conversation });
    expect(conversation.canAsk()).toBe(false);
  });

  it("prints an answer byte for byte to a pipe, and escaped to a terminal", async () => {
    const turn = { events: says("\u001B]0;x\u0007\n") };
    expect((await run({ conversation: scriptedConversation([turn]) })).stdout).toBe(
      "\u001B]0;x\u0007\n",
    );
    const shown = await run({ conversation: scriptedConversation([turn]), isTerminal: true });
    expect(shown.stdout).toBe("\\u{1b}]0;x\\u{7}\n");
  });

  it("prints no part of an answer when the turn failed", async () => {
    const conversation = scriptedConversation([{ events: says("The first ha"), ...FAILED }]);
    expect(await run({ conversation })).toEqual({
      exitCode: 5,
      stdout: "",
      stderr: "caliban: The key is wrong.\n",
    });
  });

  it("prints the text of a model that declined to stderr", async () => {
    const outcome = { kind: "refused", message: "It declined, as it says above." } as const;
    const conversation = scriptedConversation([{ events: says("Not\u0007 this.\n"), outcome }]);
    expect(await run({ conversation })).toEqual({
      exitCode: 5,
      stdout: "",
      stderr: "Not\\u{7} this.\ncaliban: It declined, as it says above.\n",
    });
  });

  it.for([[], says("")])("reports an empty answer on stderr: %j", async (events) => {
    expect(await run({ conversation: scriptedConversation([{ events }]) })).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "caliban: the model returned an empty answer\n",
    });
  });

  it("prints retries, notices and warnings to stderr, escaped", async () => {
    const failure = { code: "overloaded", message: "Too busy.", isTransient: true } as const;
    const conversation = scriptedConversation(
      [
        {
          events: [
            { type: "retry", attempt: 1, delayMs: 1500, failure },
            { type: "notice", message: "Some\u0007thing." },
            ...says("ok"),
          ],
        },
      ],
      {
        warnings: [
          { code: "PERMISSION_RULE", message: "a rule is not valid" },
          { code: "GLOBAL_MEMORY", message: "WARNING: cut" },
          { code: "MEMORY", message: "memory: 1 loaded" },
        ],
      },
    );
    expect(await run({ conversation })).toEqual({
      exitCode: 0,
      stdout: "ok\n",
      stderr:
        "caliban: warning: a rule is not valid\ncaliban: WARNING: cut\nmemory: 1 loaded\n" +
        "caliban: Too busy. Retrying in 1.5 s.\ncaliban: Some\\u{7}thing.\n",
    });
  });
});

describe("the step limit", () => {
  it.for([
    [1, "1 request,"],
    [2, "2 requests,"],
  ] as const)("reports that the model was stopped after %i requests", async ([maxSteps, words]) => {
    const turn = { outcome: { kind: "step-limit", maxSteps } } as const;
    const { stderr } = await run({ conversation: scriptedConversation([turn]) });
    expect(stderr).toContain(`The model was stopped after ${words} before it was done`);
  });
});

describe("the exit code", () => {
  it.for([
    ["0 when all went well", { events: says("ok") }, 0],
    ["4 when a call was denied", DENIED, 4],
    ["5 when the model failed", FAILED, 5],
    ["5 when the model failed after a call was denied", { ...DENIED, ...FAILED }, 5],
    ["5 when the model declined", { outcome: { kind: "refused", message: "No." } }, 5],
    ["1 at the step limit", { outcome: { kind: "step-limit", maxSteps: 2 } }, 1],
    ["6 before a budget is exceeded", { outcome: { kind: "budget", message: "No." } }, 6],
    ["130 when the turn was interrupted", { outcome: { kind: "interrupted" } }, 130],
    [
      "0 when a tool failed for a reason of its own",
      { events: [...calls("Read", { text: "gone", isError: true }), ...says("ok")] },
      0,
    ],
  ] as const)("exits with %s", async ([, turn, expected]) => {
    const { exitCode } = await run({ conversation: scriptedConversation([turn]) });
    expect(exitCode).toBe(expected);
  });

  it("exits with the code of the worst turn", async () => {
    const messages = ["a", "b", "c"].map((text) => ({ type: "user", text }) as const);
    const conversation = scriptedConversation([FAILED, DENIED, { events: says("ok") }]);
    expect(await run({ conversation, messages })).toMatchObject({ exitCode: 5 });
    expect(conversation.sent).toEqual(["a", "b", "c"]);
  });

  it.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["output-lost", 0],
  ] as const)("after %s exits with %i and sends nothing more", async ([interrupt, expected]) => {
    const messages = ["a", "b"].map((text) => ({ type: "user", text }) as const);
    const conversation = scriptedConversation([{ isEndless: true }]);
    const ended = await run({ conversation, messages, interrupt });
    expect(ended).toMatchObject({ exitCode: expected, stdout: "" });
    expect(conversation.sent).toEqual(["a"]);
    expect(conversation.closed()).toBe(1);
  });
});

describe("JSON output", () => {
  it("prints one line with everything that a script needs", async () => {
    const note = "[Today is 2026-11-16.]\n[memory that may apply: ports — which are taken]";
    const events = [
      { type: "message", message: { role: "user", text: "hi", note } } as const,
      ...calls("WriteMemoryTopic", { text: "Saved.", data: { slug: "deploy", isNew: true } }),
      ...calls("DeleteMemoryTopic", { text: "Deleted.", data: { slug: "old" } }),
      ...(DENIED.events ?? []),
    ];
    const conversation = scriptedConversation(
      [{ events: [...events, { type: "notice", message: "It was cut." }] }],
      { warnings: [{ code: "SETTINGS", message: "w" }] },
    );
    const { exitCode, stdout, stderr } = await run({ conversation, format: createJsonOutput });
    expect(exitCode).toBe(4);
    expect(stderr).toBe(
      "caliban: warning: w\ncaliban: It was cut.\ncaliban: Bash was not run. Use --allow.\n",
    );
    expect(stdout).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(stdout)).toEqual({
      type: "result",
      outcome: "done",
      text: "I could not run it.",
      session: "s-1",
      model: "test/scripted",
      usage: { inputTokens: 40, outputTokens: 8, cacheReadTokens: 16, cacheWriteTokens: 4 },
      costUsd: 0.4,
      turns: 4,
      durationMs: 5,
      denials: [
        { tool: "Bash", input: { name: "Bash" }, reason: "Bash was not run. Use --allow." },
      ],
      memory: { saved: ["deploy"], deleted: ["old"], recalled: ["ports"] },
      warnings: ["w", "It was cut."],
    });
  });

  it("reports the cost of each message, and null when a price is not known", async () => {
    const turns = [{ events: says("a") }, { events: [...says("b"), ...says("c")] }];
    const costs = async (unpriced: readonly string[]): Promise<readonly unknown[]> => {
      const conversation = scriptedConversation(turns, { unpriced });
      const messages = ["1", "2"].map((text) => ({ type: "user", text }) as const);
      const { stdout } = await run({ conversation, format: createJsonOutput, messages });
      const lines = stdout.trimEnd().split("\n");
      return lines.map((line) => (JSON.parse(line) as { costUsd: unknown }).costUsd);
    };
    expect(await costs([])).toEqual([0.1, 0.2]);
    expect(await costs(["ollama/qwen3"])).toEqual([null, null]);
  });

  it("reports the problem, and a null session when the session is not saved", async () => {
    const conversation = scriptedConversation([FAILED], { isSaved: false });
    const { stdout } = await run({ conversation, format: createJsonOutput });
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "failed",
      problem: "The key is wrong.",
      code: "auth",
      session: null,
    });
  });
});

describe("stream-json output", () => {
  it("prints an init line, each event, and a result for each message", async () => {
    const events = [...says("\u009Bhi"), { type: "turn-end", outcome: { kind: "done" } }] as const;
    const conversation = scriptedConversation([
      { events, notices: [{ kind: "memory", message: "memory: saved x" }] },
    ]);
    const messages: readonly InputMessage[] = [
      { type: "user", text: "hello" },
      { type: "input-error", line: 2, message: "stdin line 2: invalid JSON" },
    ];
    const format = createStreamJsonOutput;
    const { exitCode, stdout, stderr } = await run({ conversation, messages, format });
    expect(exitCode).toBe(2);
    expect(stderr).toBe("caliban: stdin line 2: invalid JSON\n");
    expect(stdout).not.toContain("\u009B");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map(({ type }) => type).join(" ")).toBe(
      "init step-start text-delta message usage notice result input-error",
    );
    expect(lines[0]).toEqual({
      type: "init",
      version: "1.2.3",
      session: "s-1",
      model: "test/scripted",
      mode: "default",
      tools: ["Read", "Bash"],
      warnings: [],
    });
    expect(lines[2]).toEqual({ type: "text-delta", text: "\u009Bhi" });
    expect(lines[5]).toEqual({ type: "notice", sentence: "memory: saved x" });
    expect(lines[7]).toEqual({
      type: "input-error",
      line: 2,
      sentence: "stdin line 2: invalid JSON",
    });
    expect(lines[6]).toMatchObject({ outcome: "done", text: "\u009Bhi", usage: USAGE });
  });

  it("calls messages `sentence`, as the published format does", async () => {
    const failure = { code: "overloaded", message: "Too busy.", isTransient: true } as const;
    const events = [
      { type: "retry", attempt: 1, delayMs: 1, failure } as const,
      { type: "notice", message: "Cut." } as const,
      ...(DENIED.events ?? []),
    ];
    const conversation = scriptedConversation([{ events }]);
    const { stdout } = await run({ conversation, format: createStreamJsonOutput });
    expect(stdout).toContain('"failure":{"code":"overloaded","sentence":"Too busy.","isTransient"');
    expect(stdout).toContain('{"type":"notice","sentence":"Cut."}');
    expect(stdout).toContain(
      '"data":{"code":"DENIED","sentence":"Bash was not run. Use --allow."}',
    );
  });

  it("stops printing once no one reads its output", async () => {
    const conversation = scriptedConversation([{ isEndless: true }]);
    const { stdout } = await run({
      conversation,
      format: createStreamJsonOutput,
      interrupt: "output-lost",
    });
    expect(stdout).toMatch(/^\{"type":"init"[^\n]*\n$/);
  });
});
