import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  PermissionAnswer,
  PermissionApprovals,
  PermissionQuestion,
} from "../../src/permissions/permission-gate.ts";
import { parsePermissionRule } from "../../src/permissions/permission-rule.ts";
import type {
  PermissionMode,
  PermissionPolicy,
  PolicyRule,
} from "../../src/permissions/decide-permission.ts";
import type { SandboxAccess } from "../../src/permissions/sandbox-access.ts";
import type { Notice, Tool, ToolContext, ToolResult } from "../../src/tool.ts";
import {
  createToolRunner,
  type ToolRunner,
  type ToolRunnerInput,
} from "../../src/loop/tool-runner.ts";

const textOf = (input: unknown): string | undefined =>
  typeof input === "string" ? input : undefined;

function tool(given: Partial<Tool> & Pick<Tool, "name" | "permission">): Tool {
  return {
    description: "",
    isReadOnly: false,
    inputSchema: { type: "string" },
    run: async (input) => ({ text: `${given.name} did ${String(input)}` }),
    ...given,
  };
}

const read = tool({ name: "ReadMemoryTopic", permission: "memory.read", isReadOnly: true });
const write = tool({ name: "WriteMemoryTopic", permission: "memory.write" });
const edit = tool({ name: "Edit", permission: "fs.write" });
const save = tool({
  name: "Write",
  permission: "fs.write",
  subjectOf: textOf,
  protectionReason: (input) => (input === "CLAUDE.md" ? "CLAUDE.md is protected." : undefined),
});
const issue = tool({ name: "create_issue", permission: "mcp.github", isReadOnly: true });
const bash = tool({ name: "Bash", permission: "shell.run", subjectOf: textOf });

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function rules(text: string): readonly PolicyRule[] {
  const parsed = parsePermissionRule(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return [{ ...parsed.rule, source: "settings.toml" }];
}

function runner(given: Partial<ToolRunnerInput> = {}): ToolRunner {
  const tools = [read, write, edit, save, issue, bash];
  return createToolRunner({ tools, policy: NO_RULES, notify: () => undefined, ...given });
}

function inMemoryApprovals(approved: Set<string> = new Set()): PermissionApprovals {
  return {
    isApproved: async (subject) => approved.has(subject),
    approve: async (subject) => {
      approved.add(subject);
    },
  };
}

/** A user who gives these answers, then declines. Records the questions. */
function user(...answers: readonly PermissionAnswer[]): {
  readonly questions: PermissionQuestion[];
  readonly ask: (question: PermissionQuestion) => Promise<PermissionAnswer>;
} {
  const questions: PermissionQuestion[] = [];
  const left = [...answers];
  return {
    questions,
    ask: async (question) => {
      questions.push(question);
      await Promise.resolve();
      return left.shift() ?? "no";
    },
  };
}

it("masks secrets in the text and the data of every result", async () => {
  const tell = tool({
    name: "Tell",
    permission: "fs.read",
    isReadOnly: true,
    run: async () => ({
      text: "a secret",
      data: { lines: ["secret", 1], more: { text: "secret" } },
    }),
  });
  const { run } = runner({ tools: [tell], mask: (text) => text.replace("secret", "[masked]") });
  expect(await run({ name: "Tell", input: "" })).toEqual({
    text: "a [masked]",
    data: { lines: ["[masked]", 1], more: { text: "[masked]" } },
  });
  expect((await run({ name: "secret", input: "" })).text).not.toContain("secret");
});

describe("running a call", () => {
  it("allows read-only and memory tools without rules, and nothing else", async () => {
    const ran: string[] = [];
    const tools = [
      { name: "Look", permission: "fs.read", isReadOnly: true },
      { name: "Remember", permission: "memory.write", isReadOnly: false },
      { name: "Write", permission: "fs.write", isReadOnly: false },
    ].map((row) =>
      tool({
        ...row,
        run: async (_input, { notify }) => {
          notify({ kind: "general", message: row.name });
          ran.push(row.name);
          return { text: "done" };
        },
      }),
    );
    const { run } = createToolRunner({ tools });
    const results = await Promise.all(tools.map(({ name }) => run({ name, input: {} })));
    expect(ran).toEqual(["Look", "Remember"]);
    expect(results.map(({ isError = false }) => isError)).toEqual([false, false, true]);
  });

  it("passes the session, the signal and the notifier to the tool", async () => {
    const contexts: ToolContext[] = [];
    const notices: Notice[] = [];
    const asked = tool({
      name: "Ask",
      permission: "memory.ask",
      run: async (input, context) => {
        contexts.push(context);
        context.notify({ kind: "memory", message: "one line" });
        return { text: String(input), data: 1 };
      },
    });
    const { signal } = new AbortController();
    const { run } = runner({
      tools: [asked],
      session: "s1",
      notify: (notice) => {
        notices.push(notice);
      },
    });
    expect(await run({ name: "Ask", input: "x", signal })).toEqual({ text: "x", data: 1 });
    expect(contexts).toMatchObject([{ session: "s1", usedTools: [], signal }]);
    expect(notices).toEqual([{ kind: "memory", message: "one line" }]);
  });

  it.for([
    ["WriteMemoryTopics", 'Unknown tool "WriteMemoryTopics". Did you mean WriteMemoryTopic?'],
    ["bash", 'Unknown tool "bash". Did you mean Bash?'],
    ["Teleport", 'Unknown tool "Teleport". Use one of the tools you were given.'],
    ["__proto__", 'Unknown tool "__proto__". Use one of the tools you were given.'],
    ["a\u001B", 'Unknown tool "a\\u{1b}". Use one of the tools you were given.'],
  ] as const)("answers a call of %j with: %s", async ([name, text]) => {
    expect(await runner().run({ name, input: "" })).toEqual({ text, isError: true });
  });

  it("refuses a call that was cancelled before it started", async () => {
    const signal = AbortSignal.abort();
    expect(await runner().run({ name: "ReadMemoryTopic", input: "", signal })).toEqual({
      text: "ReadMemoryTopic was not run: the call was cancelled while it was waiting.",
      isError: true,
    });
    const { ask, questions } = user("once");
    expect(await runner({ ask }).run({ name: "Edit", input: "", signal })).toMatchObject({
      isError: true,
    });
    expect(questions).toEqual([]);
  });

  it("rejects if the tool throws, and still runs the next call", async () => {
    let isBroken = true;
    const shaky = tool({
      name: "Shaky",
      permission: "memory.shake",
      orderKey: () => "all",
      run: async () => {
        if (isBroken) throw new TypeError("a bug");
        return { text: "fine" };
      },
    });
    const { run } = runner({ tools: [shaky] });
    await expect(run({ name: "Shaky", input: "" })).rejects.toThrow(TypeError);
    isBroken = false;
    expect(await run({ name: "Shaky", input: "" })).toEqual({ text: "fine" });
  });
});

it("rejects two tools with the same name", () => {
  expect(() => runner({ tools: [read, read] })).toThrow(
    'two tools have the same name: "ReadMemoryTopic"',
  );
});

describe("denying a call", () => {
  it.for([
    [
      { ...NO_RULES, deny: rules("memory.*") },
      "WriteMemoryTopic was not run. The rule memory.* (from settings.toml) denies it. Do not work around this. Continue without it, or tell the user what you need it for.",
    ],
    [
      { ...NO_RULES, mode: "plan" },
      "WriteMemoryTopic was not run. Plan mode is read-only, and WriteMemoryTopic can make changes. Include this step in your plan instead.",
    ],
  ] as const)("explains a denial by %j: %s", async ([policy, text]) => {
    const { ask, questions } = user("always");
    const { run } = runner({ policy, ask });
    const message = text.replace(/ (?:Do not work|Include this).*$/, "");
    expect(await run({ name: "WriteMemoryTopic", input: "" })).toEqual({
      text,
      isError: true,
      data: { code: "DENIED", message },
    });
    expect(questions).toEqual([]);
  });
});

describe("a call that needs approval when no one can give it", () => {
  const NEXT = "Continue without it, and say at the end what was left undone.";

  it.for([
    ["Edit", "x", "`--allow fs.write`", '`[permissions] allow = ["fs.write"]`'],
    [
      "Bash",
      "git status -s",
      "`--allow 'shell.run(git status -s)'`",
      '`[permissions] allow = ["shell.run(git status -s)"]`',
    ],
    ["Bash", "a && b", "`--allow shell.run`", '`[permissions] allow = ["shell.run"]`'],
    ["Bash", "echo 'a'", "`--allow shell.run`", '`[permissions] allow = ["shell.run"]`'],
    ["Bash", "x".repeat(201), "`--allow shell.run`", '`[permissions] allow = ["shell.run"]`'],
    [
      "Bash",
      "CI=1 npm test",
      "`--allow 'shell.run(CI=1 npm test)'`",
      '`[permissions] allow = ["shell.run(CI=1 npm test)"]`',
    ],
    [
      "Write",
      "src/a b.ts",
      "`--allow 'fs.write(src/a b.ts)'`",
      '`[permissions] allow = ["fs.write(src/a b.ts)"]`',
    ],
  ] as const)(
    "denies %s with %j when unattended, and suggests %s",
    async ([name, input, flag, setting]) => {
      const problem = `${name} was not run. Tools that can make changes need approval. No one is available to approve it.`;
      const remedy = `can allow it with ${flag}, or with ${setting} in settings.toml.`;
      expect(await runner().run({ name, input })).toEqual({
        text: `${problem} The user ${remedy} ${NEXT}`,
        isError: true,
        data: { code: "DENIED", message: `${problem} You ${remedy}` },
      });
    },
  );

  it("allows an unattended call with exactly the rule that its denial suggests", async () => {
    const commands = fc.constantFrom(
      "ls",
      "git status -s",
      "a; b",
      "a 'b'",
      "x*y",
      "é",
      "",
      "CI=1 ls",
      "sudo ls",
      "é=1",
    );
    await fc.assert(
      fc.asyncProperty(commands, async (input) => {
        const { text } = await runner().run({ name: "Bash", input });
        const [, rule = ""] = /allow = \["(.*?)"\]/.exec(text) ?? [];
        const policy = { ...NO_RULES, allow: rules(rule) };
        expect(await runner({ policy }).run({ name: "Bash", input })).toEqual({
          text: `Bash did ${input}`,
        });
      }),
    );
  });

  it("suggests no allow rule when an ask rule matches, because it would not help", async () => {
    const policy = { ...NO_RULES, ask: rules("memory.write") };
    const { text } = await runner({ policy }).run({ name: "WriteMemoryTopic", input: "" });
    expect(text).toBe(
      `WriteMemoryTopic was not run. The rule memory.write (from settings.toml) requires approval. No one is available to approve it. The user can approve it in a terminal session, or remove that rule. ${NEXT}`,
    );
  });

  it("suggests yolo mode for a protected call, because no rule allows it", async () => {
    const policy = { ...NO_RULES, allow: rules("fs.write") };
    const call = { name: "Write", input: "CLAUDE.md" };
    const { text } = await runner({ policy }).run(call);
    expect(text).toBe(
      `Write was not run. CLAUDE.md is protected. No one is available to approve it. The user can approve it in a terminal session, or turn off all such protection with \`--mode yolo\`. ${NEXT}`,
    );
    const yolo = runner({ policy: { ...policy, mode: "yolo" } });
    expect(await yolo.run(call)).toEqual({ text: "Write did CLAUDE.md" });
  });

  it("runs an unattended call that was approved before", async () => {
    const approvals = inMemoryApprovals(new Set(["permission:shell.run(git push)"]));
    const { run } = runner({ approvals });
    expect(await run({ name: "Bash", input: "git push" })).toEqual({ text: "Bash did git push" });
    expect(await run({ name: "Bash", input: "git push -f" })).toMatchObject({ isError: true });
  });
});

describe("a call that needs approval", () => {
  it("asks the user with the call, the reason and the scope of always", async () => {
    const { ask, questions } = user("once");
    const { run } = runner({ ask });
    expect(await run({ name: "Bash", input: "ls" })).toEqual({ text: "Bash did ls" });
    expect(questions).toEqual([
      {
        tool: "Bash",
        permission: "shell.run",
        input: "ls",
        subject: "ls",
        reason: "Tools that can make changes need approval.",
        alwaysScope: "this exact command in this workspace",
        allowsAlways: true,
      },
    ]);
  });

  it.for([undefined, null, false, true, "yes", "No", "deny", {}])(
    "treats the answer %j as a no",
    async (answer) => {
      const { run } = runner({ ask: async () => answer as PermissionAnswer });
      expect(await run({ name: "Edit", input: "" })).toMatchObject({ isError: true });
    },
  );

  it("asks again after the user answered once", async () => {
    const { ask, questions } = user("once", "no");
    const { run } = runner({ ask, approvals: inMemoryApprovals() });
    await run({ name: "Edit", input: "" });
    expect(await run({ name: "Edit", input: "" })).toEqual({
      text: "Edit was not run: the user declined. Do not work around this. Ask what they would like instead.",
      isError: true,
      data: { code: "DENIED", message: "Edit was not run: you declined." },
    });
    expect(questions).toHaveLength(2);
  });

  it("asks again after always only about another command", async () => {
    const approved = new Set<string>();
    const { ask, questions } = user("always", "always");
    const { run } = runner({ ask, approvals: inMemoryApprovals(approved) });
    await run({ name: "Bash", input: "ls" });
    await run({ name: "Bash", input: "ls" });
    await run({ name: "Bash", input: "ls -l" });
    await run({ name: "Edit", input: "" });
    expect(questions.map(({ input }) => input)).toEqual(["ls", "ls -l", ""]);
    expect([...approved]).toEqual(["permission:shell.run(ls)", "permission:shell.run(ls -l)"]);
  });

  it.for([
    ["Bash", "ls", "this exact command in this workspace"],
    ["Write", "a.ts", "this exact path in this workspace"],
    ["Write", "CLAUDE.md", "this call only, because it always needs approval"],
    ["Edit", "", "every call that needs fs.write in this workspace"],
    ["create_issue", "", "every call that needs mcp.github/create_issue in this workspace"],
  ] as const)("describes the scope of always for %s with %j: %s", async ([name, input, phrase]) => {
    const { ask, questions } = user("no");
    await runner({ ask }).run({ name, input });
    const allowsAlways = !phrase.startsWith("this call only");
    expect(questions).toMatchObject([{ alwaysScope: phrase, allowsAlways }]);
  });

  it("remembers always for one path, and for one tool of an MCP server", async () => {
    const approved = new Set<string>();
    const { ask } = user("always", "always");
    const { run } = runner({ ask, approvals: inMemoryApprovals(approved) });
    await run({ name: "Write", input: "a.ts" });
    await run({ name: "create_issue", input: "" });
    expect([...approved]).toEqual([
      "permission:fs.write(a.ts)",
      "permission:mcp.github/create_issue",
    ]);
  });

  it("approves a protected call only once, says so, and asks again", async () => {
    const approved = new Set(["permission:fs.write(CLAUDE.md)"]);
    const notices: Notice[] = [];
    const { ask, questions } = user("always", "no");
    const { run } = runner({
      ask,
      policy: { ...NO_RULES, allow: rules("*"), mode: "accept-edits" },
      approvals: inMemoryApprovals(approved),
      notify: (notice) => {
        notices.push(notice);
      },
    });
    expect(await run({ name: "Write", input: "CLAUDE.md" })).toEqual({
      text: "Write did CLAUDE.md",
    });
    expect(await run({ name: "Write", input: "CLAUDE.md" })).toMatchObject({ isError: true });
    expect(questions.map(({ reason }) => reason)).toEqual([
      "CLAUDE.md is protected.",
      "CLAUDE.md is protected.",
    ]);
    expect(notices).toEqual([
      { kind: "general", message: "Write may run this once. CLAUDE.md is protected." },
    ]);
    expect(approved.size).toBe(1);
  });

  it("applies a mode that changes between calls or while a question waits", async () => {
    let mode: PermissionMode = "default";
    const { ask, questions } = user("once");
    const { run } = runner({
      policy: () => ({ ...NO_RULES, mode }),
      ask: async (question) => {
        mode = "yolo";
        return await ask(question);
      },
    });
    const results = await Promise.all(["a", "b"].map((input) => run({ name: "Bash", input })));
    expect(results.map(({ text }) => text)).toEqual(["Bash did a", "Bash did b"]);
    expect(questions.map(({ input }) => input)).toEqual(["a"]);
    mode = "plan";
    expect(await run({ name: "Bash", input: "a" })).toMatchObject({ isError: true });
  });

  it("refuses a waiting call that plan mode forbids in the meantime", async () => {
    let mode: PermissionMode = "default";
    const { run } = runner({
      policy: () => ({ ...NO_RULES, mode }),
      ask: async () => {
        mode = "plan";
        return "once";
      },
    });
    const results = await Promise.all(["a", "b"].map((input) => run({ name: "Bash", input })));
    expect(results).toMatchObject([{ text: "Bash did a" }, { isError: true }]);
  });

  it("runs an approved call even if the approval cannot be saved, and says so", async () => {
    const notices: Notice[] = [];
    const { run } = runner({
      ask: user("always").ask,
      approvals: {
        isApproved: async () => false,
        approve: async () => {
          throw new Error("the disk is full\u001B");
        },
      },
      notify: (notice) => {
        notices.push(notice);
      },
    });
    expect(await run({ name: "Edit", input: "x" })).toEqual({ text: "Edit did x" });
    const message =
      "could not save the approval of fs.write, so it only applies once: the disk is full\\u{1b}";
    expect(notices).toEqual([{ kind: "general", message }]);
  });

  it("asks one question at a time, and none that an earlier answer covers", async () => {
    let open = 0;
    let maxOpen = 0;
    const { ask, questions } = user("always", "once");
    const { run } = runner({
      approvals: inMemoryApprovals(),
      ask: async (question) => {
        open += 1;
        maxOpen = Math.max(maxOpen, open);
        const answer = await ask(question);
        open -= 1;
        return answer;
      },
    });
    const inputs = ["ls", "ls", "pwd"];
    const results = await Promise.all(inputs.map((input) => run({ name: "Bash", input })));
    expect(results.map(({ text }) => text)).toEqual(["Bash did ls", "Bash did ls", "Bash did pwd"]);
    expect(questions.map(({ input }) => input)).toEqual(["ls", "pwd"]);
    expect(maxOpen).toBe(1);
  });

  it("can ask the next question after asking failed", async () => {
    const answers = [Promise.reject(new Error("the terminal is gone")), Promise.resolve("once")];
    answers[0]?.catch(() => undefined);
    const { run } = runner({ ask: async () => (await answers.shift()) as PermissionAnswer });
    await expect(run({ name: "Edit", input: "a" })).rejects.toThrow("the terminal is gone");
    expect(await run({ name: "Edit", input: "b" })).toEqual({ text: "Edit did b" });
  });
});

describe("a call whose target changes while it waits", () => {
  /** A tool whose path leads to `target`. */
  function linked(target: { subject: string; protection?: string }): {
    readonly tool: Tool;
    readonly written: string[];
  } {
    const written: string[] = [];
    return {
      written,
      tool: tool({
        name: "Linked",
        permission: "fs.write",
        subjectOf: () => target.subject,
        protectionReason: () => target.protection,
        run: async () => {
          written.push(target.subject);
          return { text: "" };
        },
      }),
    };
  }

  it.for([
    { subject: ".git/hooks/pre-commit", protection: "Git may run it." },
    { subject: "d/pre-commit", protection: "Git may run it." },
    { subject: ".env" },
  ])("does not run a call whose target has become %j", async (later) => {
    const target: { subject: string; protection?: string } = { subject: "d/pre-commit" };
    const { tool: given, written } = linked(target);
    const policy = { ...NO_RULES, deny: rules("fs.write(.env)") };
    const ask = async (): Promise<PermissionAnswer> => {
      Object.assign(target, later);
      return "once";
    };
    const { run } = runner({ tools: [given], policy, ask });
    const { text, isError, data } = await run({ name: "Linked", input: "" });
    expect([isError, data, written]).toEqual([true, { code: "CHANGED" }, []]);
    expect(text).toContain("its target changed while it was waiting");
  });

  it("decides again when a call with a changed target is repeated", async () => {
    const target: { subject: string } = { subject: "a" };
    const { tool: given, written } = linked(target);
    const { ask, questions } = user("once", "once");
    const { run } = runner({
      tools: [given],
      ask: async (question) => {
        target.subject = "b";
        return await ask(question);
      },
    });
    await run({ name: "Linked", input: "" });
    await run({ name: "Linked", input: "" });
    expect(questions.map(({ subject }) => subject)).toEqual(["a", "b"]);
    expect(written).toEqual(["b"]);
  });
});

describe("the used tools", () => {
  const recorder = (name: string, seen: (readonly string[])[]): Tool =>
    tool({
      name,
      permission: `memory.${name}`,
      run: async (_, { usedTools }) => {
        seen.push(usedTools);
        return { text: "" };
      },
    });

  it("lists the tools that ran since the user's last message, once each, in order of first use", async () => {
    const seen: (readonly string[])[] = [];
    const policy = { ...NO_RULES, deny: rules("Denied") };
    const tools = ["A", "B", "Denied"].map((name) => recorder(name, seen));
    const { run, onUserMessage } = runner({ tools, policy });
    for (const name of ["A", "Denied", "Unknown", "A", "B", "A"]) await run({ name, input: "" });
    onUserMessage();
    await run({ name: "B", input: "" });
    expect(seen).toEqual([[], ["A"], ["A"], ["A", "B"], []]);
  });

  it("lists the tools that the program names instead of its own", async () => {
    const seen: (readonly string[])[] = [];
    const tools = ["A", "B"].map((name) => recorder(name, seen));
    const { run } = runner({ tools, usedTools: () => ["fetch"] });
    for (const name of ["A", "B"]) await run({ name, input: "" });
    expect(seen).toEqual([["fetch"], ["fetch"]]);
  });

  it("lists a tool that failed, because it may have shown something", async () => {
    const seen: (readonly string[])[] = [];
    const failing = tool({
      name: "Failing",
      permission: "memory.fail",
      run: async () => {
        throw new Error("failed");
      },
    });
    const { run } = runner({ tools: [failing, recorder("A", seen)] });
    await expect(run({ name: "Failing", input: "" })).rejects.toThrow("failed");
    await run({ name: "A", input: "" });
    expect(seen).toEqual([["Failing"]]);
  });
});

describe("parallel calls", () => {
  interface Step {
    readonly category: string;
    readonly key: string | undefined;
    readonly ending: "result" | "error" | "declined";
    readonly needsQuestion: boolean;
    readonly ticks: number;
  }

  /** Runs all steps at once and records when they start and end. */
  async function runAtOnce(steps: readonly Step[]): Promise<readonly string[]> {
    const log: string[] = [];
    const tools = steps.map((step, index): Tool =>
      tool({
        name: `T${index}`,
        permission: `${step.category}.a${index}`,
        orderKey: () => step.key,
        run: async () => {
          log.push(`start ${index}`);
          for (let tick = 0; tick < step.ticks; tick++) await Promise.resolve();
          log.push(`end ${index}`);
          if (step.ending === "error") throw new Error("failed");
          return { text: "" };
        },
      }),
    );
    const { run } = runner({
      tools,
      policy: {
        ...NO_RULES,
        allow: rules("*"),
        ask: steps.flatMap((step, index) => (step.needsQuestion ? rules(`T${index}`) : [])),
      },
      ask: async ({ tool: name }) => {
        await Promise.resolve();
        return steps[Number(name.slice(1))]?.ending === "declined" ? "no" : "once";
      },
    });
    await Promise.allSettled(
      tools.map(({ name }): Promise<ToolResult> => run({ name, input: "" })),
    );
    return log;
  }

  it("keeps the order of calls that share a key and a category, however the earlier ones end", async () => {
    const step: fc.Arbitrary<Step> = fc.record({
      category: fc.constantFrom("memory", "file"),
      key: fc.constantFrom("x", "y"),
      ending: fc.constantFrom("result", "error", "declined"),
      needsQuestion: fc.boolean(),
      ticks: fc.constantFrom(0, 1, 30),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const log = await runAtOnce(steps);
        const queueOf = ({ category, key }: Step): string => `${category} ${key}`;
        for (const queue of new Set(steps.map(queueOf))) {
          const expected = steps.flatMap((given, index) =>
            queueOf(given) === queue && !(given.needsQuestion && given.ending === "declined")
              ? [`start ${index}`, `end ${index}`]
              : [],
          );
          const mine = log.filter((line) => {
            const given = steps[Number(line.split(" ")[1])];
            return given !== undefined && queueOf(given) === queue;
          });
          expect(mine).toEqual(expected);
        }
      }),
    );
  });

  it.for([
    [
      { category: "memory", key: undefined },
      { category: "memory", key: undefined },
    ],
    [
      { category: "memory", key: "x" },
      { category: "memory", key: "y" },
    ],
    [
      { category: "memory", key: "x" },
      { category: "file", key: "x" },
    ],
  ] as const)("does not make calls with %j and %j wait for each other", async (queues) => {
    const steps = queues.map((queue, index) => {
      const ticks = index === 0 ? 400 : 0;
      return { ...queue, ending: "result", needsQuestion: false, ticks } as const;
    });
    expect(await runAtOnce(steps)).toEqual(["start 0", "start 1", "end 1", "end 0"]);
  });
});

it("calls onStart after the user approved, and not at all if the user declined", async () => {
  const happened: string[] = [];
  const slow = tool({
    name: "Slow",
    permission: "shell.run",
    run: async () => {
      happened.push("runs");
      return { text: "ran" };
    },
  });
  const answers: PermissionAnswer[] = ["once", "no"];
  const { run } = runner({
    tools: [slow],
    ask: async () => {
      happened.push("asked");
      return answers.shift() ?? "no";
    },
  });
  const onStart = (): void => void happened.push("starts");
  await run({ name: "Slow", input: {}, onStart });
  await run({ name: "Slow", input: {}, onStart });
  expect(happened).toEqual(["asked", "starts", "runs", "asked"]);
});

it.for([undefined, {}])("names the missing argument of the input %j", (input) => {
  const wrong = input as unknown as ToolRunnerInput;
  expect(() => createToolRunner(wrong)).toThrow('createToolRunner: "tools" is required');
});

describe("a tool with a sandbox", () => {
  const confined = (needs: SandboxAccess): { readonly tool: Tool; readonly ran: unknown[] } => {
    const ran: unknown[] = [];
    return {
      ran,
      tool: {
        ...bash,
        sandboxOf: async () => ({ needs, canWrite: true, canLeave: true }),
        run: async (_input, { access }) => {
          ran.push(access);
          return { text: "" };
        },
      },
    };
  };

  it("tells a tool the access that the call was permitted with", async () => {
    const { tool: sandboxed, ran } = confined("read-only");
    const run = async (mode: PermissionMode): Promise<ToolResult> =>
      await runner({ tools: [sandboxed], policy: { ...NO_RULES, mode } }).run({
        name: "Bash",
        input: "ls",
      });
    for (const mode of ["default", "accept-edits", "yolo"] as const) await run(mode);
    expect(ran).toEqual(["read-only", "workspace", "outside"]);
    expect((await run("plan")).isError).toBe(true);
  });

  it("starts calls in the order in which they were made, however long a sandbox takes", async () => {
    const started: string[] = [];
    const starting = (given: Tool): Tool => ({
      ...given,
      run: async () => {
        started.push(given.name);
        return { text: "" };
      },
    });
    const slow: Tool = {
      ...starting(bash),
      sandboxOf: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { needs: "read-only", canWrite: true, canLeave: true };
      },
    };
    const { run } = runner({ tools: [slow, starting(read)] });
    await Promise.all(["Bash", "ReadMemoryTopic"].map((name) => run({ name, input: "x" })));
    expect(started).toEqual(["Bash", "ReadMemoryTopic"]);
  });

  it("runs a tool that reports a missing sandbox as before", async () => {
    const notices: Notice[] = [];
    const ran: unknown[] = [];
    const unconfined: Tool = {
      ...bash,
      sandboxOf: async (_input, notify) => {
        notify({ kind: "general", message: "no sandbox" });
        return undefined;
      },
      run: async (_input, { access }) => {
        ran.push(access);
        return { text: "" };
      },
    };
    const notify = (notice: Notice): void => void notices.push(notice);
    const { run } = runner({ tools: [unconfined], notify, ask: user("once").ask });
    await run({ name: "Bash", input: "ls" });
    expect([ran, notices.length]).toEqual([[undefined], 1]);
  });

  it("remembers always for the sandbox only, if that is what the question was about", async () => {
    const approved = new Set<string>();
    const approvals = inMemoryApprovals(approved);
    const { ask, questions } = user("always", "once");
    const [writing, leaving] = [confined("workspace"), confined("outside")];
    const call = { name: "Bash", input: "make" };
    for (const each of [writing, writing, leaving]) {
      await runner({ tools: [each.tool], approvals, ask }).run(call);
    }
    expect([...approved]).toEqual(["permission:shell.run(make) in the sandbox"]);
    expect(questions.map(({ alwaysScope }) => alwaysScope)).toEqual([
      "this exact command in this workspace, in the sandbox",
      "this exact command in this workspace, outside of the sandbox",
    ]);
    expect([writing.ran, leaving.ran]).toEqual([["workspace", "workspace"], ["outside"]]);
  });

  it("accepts an earlier always for every access", async () => {
    const approvals = inMemoryApprovals(new Set(["permission:shell.run(make)"]));
    const { tool: sandboxed, ran } = confined("workspace");
    await runner({ tools: [sandboxed], approvals }).run({ name: "Bash", input: "make" });
    expect(ran).toEqual(["outside"]);
  });
});
