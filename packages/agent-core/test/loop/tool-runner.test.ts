import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  PermissionAnswer,
  PermissionApprovals,
  PermissionQuestion,
} from "../../src/permissions/permission-gate.ts";
import { parsePermissionRule } from "../../src/permissions/permission-rule.ts";
import type { PermissionMode, PermissionPolicy, PolicyRule } from "../../src/permissions/decide-permission.ts";
import type { Tool, ToolContext, ToolResult } from "../../src/tool.ts";
import { createToolRunner, type ToolRunner, type ToolRunnerInput } from "../../src/loop/tool-runner.ts";

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
  protectionReason: (input) => (input === "CLAUDE.md" ? "CLAUDE.md is always asked about." : undefined),
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

function keptInMemory(approved: Set<string> = new Set()): PermissionApprovals {
  return {
    isApproved: async (subject) => approved.has(subject),
    approve: async (subject) => {
      approved.add(subject);
    },
  };
}

/** A person who gives these answers and then says no, and remembers the questions. */
function person(...answers: readonly PermissionAnswer[]): {
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

describe("a call", () => {
  it("that no rule is about is allowed to look and to remember, and nothing else", async () => {
    const ran: string[] = [];
    const tools = [
      { name: "Look", permission: "fs.read", isReadOnly: true },
      { name: "Remember", permission: "memory.write", isReadOnly: false },
      { name: "Write", permission: "fs.write", isReadOnly: false },
    ].map((row) =>
      tool({
        ...row,
        run: async (_input, { notify }) => {
          notify(row.name);
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

  it("runs its tool with the session it belongs to", async () => {
    const contexts: ToolContext[] = [];
    const lines: string[] = [];
    const asked = tool({
      name: "Ask",
      permission: "memory.ask",
      run: async (input, context) => {
        contexts.push(context);
        context.notify("one line");
        return { text: String(input), data: 1 };
      },
    });
    const { signal } = new AbortController();
    const { run } = runner({
      tools: [asked],
      session: "s1",
      notify: (line) => {
        lines.push(line);
      },
    });
    expect(await run({ name: "Ask", input: "x", signal })).toEqual({ text: "x", data: 1 });
    expect(contexts).toMatchObject([{ session: "s1", after: [], signal }]);
    expect(lines).toEqual(["one line"]);
  });

  it.for([
    [
      "WriteMemoryTopics",
      "There is no tool named WriteMemoryTopics. Did you mean WriteMemoryTopic?",
    ],
    ["bash", "There is no tool named bash. Did you mean Bash?"],
    ["Teleport", "There is no tool named Teleport. Use one of the tools you were given."],
    ["__proto__", "There is no tool named __proto__. Use one of the tools you were given."],
    ["a\u001B", "There is no tool named a\\u{1b}. Use one of the tools you were given."],
  ] as const)("of %j is answered: %s", async ([name, text]) => {
    expect(await runner().run({ name, input: "" })).toEqual({ text, isError: true });
  });

  it("that was cancelled before it began does not run", async () => {
    const signal = AbortSignal.abort();
    expect(await runner().run({ name: "ReadMemoryTopic", input: "", signal })).toEqual({
      text: "ReadMemoryTopic was not run: the call was cancelled while it waited.",
      isError: true,
    });
    const { ask, questions } = person("once");
    expect(await runner({ ask }).run({ name: "Edit", input: "", signal })).toMatchObject({
      isError: true,
    });
    expect(questions).toEqual([]);
  });

  it("hears of a bug in its tool, and the next call works", async () => {
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

it("refuses two tools with one name", () => {
  expect(() => runner({ tools: [read, read] })).toThrow("two tools have the same name");
});

describe("a denial", () => {
  it.for([
    [
      { ...NO_RULES, deny: rules("memory.*") },
      "WriteMemoryTopic was not run. The rule memory.* (from settings.toml) denies it. Do not try to reach the same end in another way: go on without it, or tell the person what you need it for.",
    ],
    [
      { ...NO_RULES, mode: "plan" },
      "WriteMemoryTopic was not run. In plan mode tools only look, and WriteMemoryTopic may change something. Make this step a part of your plan instead.",
    ],
  ] as const)("by %j says why and what to do: %s", async ([policy, text]) => {
    const { ask, questions } = person("always");
    const { run } = runner({ policy, ask });
    const sentence = text.replace(/ (?:Do not try|Make this step).*$/, "");
    expect(await run({ name: "WriteMemoryTopic", input: "" })).toEqual({
      text,
      isError: true,
      data: { code: "DENIED", sentence },
    });
    expect(questions).toEqual([]);
  });
});

describe("a call to be asked about, with nobody there", () => {
  const DONE = "Go on without it, and say at the end what was left undone.";

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
  ] as const)("is denied: %s with %j needs %s", async ([name, input, flag, setting]) => {
    const what = `${name} was not run. What may change something is asked about first. Nobody is there to be asked.`;
    const remedy = `can allow it with ${flag}, or with ${setting} in settings.toml.`;
    expect(await runner().run({ name, input })).toEqual({
      text: `${what} The person ${remedy} ${DONE}`,
      isError: true,
      data: { code: "DENIED", sentence: `${what} You ${remedy}` },
    });
  });

  it("can be allowed by the very rule that the denial names", async () => {
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

  it("is not told to allow what a rule asks about, because that would not help", async () => {
    const policy = { ...NO_RULES, ask: rules("memory.write") };
    const { text } = await runner({ policy }).run({ name: "WriteMemoryTopic", input: "" });
    expect(text).toBe(
      `WriteMemoryTopic was not run. The rule memory.write (from settings.toml) says to ask first. Nobody is there to be asked. The person can approve it in a session on a terminal, or take that rule away. ${DONE}`,
    );
  });

  it("names the mode that lifts a protection, because no rule does", async () => {
    const policy = { ...NO_RULES, allow: rules("fs.write") };
    const call = { name: "Write", input: "CLAUDE.md" };
    const { text } = await runner({ policy }).run(call);
    expect(text).toBe(
      `Write was not run. CLAUDE.md is always asked about. Nobody is there to be asked. The person can approve it in a session on a terminal, or lift every such protection with \`--mode yolo\`. ${DONE}`,
    );
    const yolo = runner({ policy: { ...policy, mode: "yolo" } });
    expect(await yolo.run(call)).toEqual({ text: "Write did CLAUDE.md" });
  });

  it("runs when it was approved before", async () => {
    const approvals = keptInMemory(new Set(["permission:shell.run(git push)"]));
    const { run } = runner({ approvals });
    expect(await run({ name: "Bash", input: "git push" })).toEqual({ text: "Bash did git push" });
    expect(await run({ name: "Bash", input: "git push -f" })).toMatchObject({ isError: true });
  });
});

describe("a call to be asked about", () => {
  it("asks with what the person needs to know", async () => {
    const { ask, questions } = person("once");
    const { run } = runner({ ask });
    expect(await run({ name: "Bash", input: "ls" })).toEqual({ text: "Bash did ls" });
    expect(questions).toEqual([
      {
        tool: "Bash",
        permission: "shell.run",
        input: "ls",
        subject: "ls",
        reason: "What may change something is asked about first.",
        coversAlways: "this exact command in this workspace",
        mayKeep: true,
      },
    ]);
  });

  it.for([undefined, null, false, true, "yes", "No", "deny", {}])(
    "takes the answer %j of a program for a no",
    async (answer) => {
      const { run } = runner({ ask: async () => answer as PermissionAnswer });
      expect(await run({ name: "Edit", input: "" })).toMatchObject({ isError: true });
    },
  );

  it("asks again after once", async () => {
    const { ask, questions } = person("once", "no");
    const { run } = runner({ ask, approvals: keptInMemory() });
    await run({ name: "Edit", input: "" });
    expect(await run({ name: "Edit", input: "" })).toEqual({
      text: "Edit was not run: the person said no. Do not try to reach the same end in another way: ask what they would like instead.",
      isError: true,
      data: { code: "DENIED", sentence: "Edit was not run: you said no." },
    });
    expect(questions).toHaveLength(2);
  });

  it("does not ask again after always, but for another command", async () => {
    const approved = new Set<string>();
    const { ask, questions } = person("always", "always");
    const { run } = runner({ ask, approvals: keptInMemory(approved) });
    await run({ name: "Bash", input: "ls" });
    await run({ name: "Bash", input: "ls" });
    await run({ name: "Bash", input: "ls -l" });
    await run({ name: "Edit", input: "" });
    expect(questions.map(({ input }) => input)).toEqual(["ls", "ls -l", ""]);
    expect([...approved]).toEqual(["permission:shell.run(ls)", "permission:shell.run(ls -l)"]);
  });

  it.for([
    ["Bash", "ls", "this exact command in this workspace"],
    ["Write", "a.ts", "this one path in this workspace"],
    ["Write", "CLAUDE.md", "this call only, because it is asked about every time"],
    ["Edit", "", "every call that needs fs.write in this workspace"],
    ["create_issue", "", "every call that needs mcp.github/create_issue in this workspace"],
  ] as const)("says what always would cover: %s of %j is %s", async ([name, input, phrase]) => {
    const { ask, questions } = person("no");
    await runner({ ask }).run({ name, input });
    const mayKeep = !phrase.startsWith("this call only");
    expect(questions).toMatchObject([{ coversAlways: phrase, mayKeep }]);
  });

  it("keeps always for one path, and for one tool of a server", async () => {
    const approved = new Set<string>();
    const { ask } = person("always", "always");
    const { run } = runner({ ask, approvals: keptInMemory(approved) });
    await run({ name: "Write", input: "a.ts" });
    await run({ name: "create_issue", input: "" });
    expect([...approved]).toEqual([
      "permission:fs.write(a.ts)",
      "permission:mcp.github/create_issue",
    ]);
  });

  it("takes always for once where a call is protected, says so, and asks again", async () => {
    const approved = new Set(["permission:fs.write(CLAUDE.md)"]);
    const lines: string[] = [];
    const { ask, questions } = person("always", "no");
    const { run } = runner({
      ask,
      policy: { ...NO_RULES, allow: rules("*"), mode: "accept-edits" },
      approvals: keptInMemory(approved),
      notify: (line) => {
        lines.push(line);
      },
    });
    expect(await run({ name: "Write", input: "CLAUDE.md" })).toEqual({
      text: "Write did CLAUDE.md",
    });
    expect(await run({ name: "Write", input: "CLAUDE.md" })).toMatchObject({ isError: true });
    expect(questions.map(({ reason }) => reason)).toEqual([
      "CLAUDE.md is always asked about.",
      "CLAUDE.md is always asked about.",
    ]);
    expect(lines).toEqual(["Write may run this once. CLAUDE.md is always asked about."]);
    expect(approved.size).toBe(1);
  });

  it("follows a mode that changes between calls, and while a question waits", async () => {
    let mode: PermissionMode = "default";
    const { ask, questions } = person("once");
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

  it("does not run what plan mode forbids since its question began to wait", async () => {
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

  it("runs although the approval cannot be kept, and says so", async () => {
    const lines: string[] = [];
    const { run } = runner({
      ask: person("always").ask,
      approvals: {
        isApproved: async () => false,
        approve: async () => {
          throw new Error("the disk is full\u001B");
        },
      },
      notify: (line) => {
        lines.push(line);
      },
    });
    expect(await run({ name: "Edit", input: "x" })).toEqual({ text: "Edit did x" });
    expect(lines).toEqual([
      "the approval of permission:fs.write was not kept, and holds once: the disk is full\\u{1b}",
    ]);
  });

  it("waits for the question before it, whose answer may cover it", async () => {
    let open = 0;
    let mostOpen = 0;
    const { ask, questions } = person("always", "once");
    const { run } = runner({
      approvals: keptInMemory(),
      ask: async (question) => {
        open += 1;
        mostOpen = Math.max(mostOpen, open);
        const answer = await ask(question);
        open -= 1;
        return answer;
      },
    });
    const inputs = ["ls", "ls", "pwd"];
    const results = await Promise.all(inputs.map((input) => run({ name: "Bash", input })));
    expect(results.map(({ text }) => text)).toEqual(["Bash did ls", "Bash did ls", "Bash did pwd"]);
    expect(questions.map(({ input }) => input)).toEqual(["ls", "pwd"]);
    expect(mostOpen).toBe(1);
  });

  it("leaves the next question possible when asking fails", async () => {
    const answers = [Promise.reject(new Error("the terminal is gone")), Promise.resolve("once")];
    answers[0]?.catch(() => undefined);
    const { run } = runner({ ask: async () => (await answers.shift()) as PermissionAnswer });
    await expect(run({ name: "Edit", input: "a" })).rejects.toThrow("the terminal is gone");
    expect(await run({ name: "Edit", input: "b" })).toEqual({ text: "Edit did b" });
  });
});

describe("a call that is about something else by the time it is allowed", () => {
  /** A tool whose path leads to what `place` says. */
  function linked(place: { subject: string; protectedBecause?: string }): {
    readonly tool: Tool;
    readonly written: string[];
  } {
    const written: string[] = [];
    return {
      written,
      tool: tool({
        name: "Linked",
        permission: "fs.write",
        subjectOf: () => place.subject,
        protectionReason: () => place.protectedBecause,
        run: async () => {
          written.push(place.subject);
          return { text: "" };
        },
      }),
    };
  }

  it.for([
    { subject: ".git/hooks/pre-commit", protectedBecause: "Git may run it." },
    { subject: "d/pre-commit", protectedBecause: "Git may run it." },
    { subject: ".env" },
  ])("is not run, and says so: %j", async (later) => {
    const place: { subject: string; protectedBecause?: string } = { subject: "d/pre-commit" };
    const { tool: given, written } = linked(place);
    const policy = { ...NO_RULES, deny: rules("fs.write(.env)") };
    const ask = async (): Promise<PermissionAnswer> => {
      Object.assign(place, later);
      return "once";
    };
    const { run } = runner({ tools: [given], policy, ask });
    const { text, isError, data } = await run({ name: "Linked", input: "" });
    expect([isError, data, written]).toEqual([true, { code: "CHANGED" }, []]);
    expect(text).toContain("what it is about changed meanwhile");
  });

  it("is decided anew when it is called again", async () => {
    const place: { subject: string } = { subject: "a" };
    const { tool: given, written } = linked(place);
    const { ask, questions } = person("once", "once");
    const { run } = runner({
      tools: [given],
      ask: async (question) => {
        place.subject = "b";
        return await ask(question);
      },
    });
    await run({ name: "Linked", input: "" });
    await run({ name: "Linked", input: "" });
    expect(questions.map(({ subject }) => subject)).toEqual(["a", "b"]);
    expect(written).toEqual(["b"]);
  });
});

describe("what a thought may come from", () => {
  const spy = (name: string, seen: (readonly string[])[]): Tool =>
    tool({
      name,
      permission: `memory.${name}`,
      run: async (_, { usedTools: after }) => {
        seen.push(after);
        return { text: "" };
      },
    });

  it("is the tools that ran since the person spoke, once each, in order of first use", async () => {
    const seen: (readonly string[])[] = [];
    const policy = { ...NO_RULES, deny: rules("Denied") };
    const tools = ["A", "B", "Denied"].map((name) => spy(name, seen));
    const { run, onUserMessage: personSpoke } = runner({ tools, policy });
    for (const name of ["A", "Denied", "Unknown", "A", "B", "A"]) await run({ name, input: "" });
    personSpoke();
    await run({ name: "B", input: "" });
    expect(seen).toEqual([[], ["A"], ["A"], ["A", "B"], []]);
  });

  it("holds a tool that failed, because it may have shown something", async () => {
    const seen: (readonly string[])[] = [];
    const failing = tool({
      name: "Failing",
      permission: "memory.fail",
      run: async () => {
        throw new Error("failed");
      },
    });
    const { run } = runner({ tools: [failing, spy("A", seen)] });
    await expect(run({ name: "Failing", input: "" })).rejects.toThrow("failed");
    await run({ name: "A", input: "" });
    expect(seen).toEqual([["Failing"]]);
  });
});

describe("calls at the same moment", () => {
  interface Step {
    readonly category: string;
    readonly key: string | undefined;
    readonly ending: "result" | "error" | "declined";
    readonly needsQuestion: boolean;
    readonly ticks: number;
  }

  /** Runs all steps at once and tells which began and ended when. */
  async function runAtOnce(steps: readonly Step[]): Promise<readonly string[]> {
    const log: string[] = [];
    const tools = steps.map((step, index): Tool =>
      tool({
        name: `T${index}`,
        permission: `${step.category}.a${index}`,
        orderKey: () => step.key,
        run: async () => {
          log.push(`begin ${index}`);
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

  it("keep their order where they share a key in a category, however the earlier ones end", async () => {
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
        const turnOf = ({ category, key }: Step): string => `${category} ${key}`;
        for (const turn of new Set(steps.map(turnOf))) {
          const expected = steps.flatMap((given, index) =>
            turnOf(given) === turn && !(given.needsQuestion && given.ending === "declined")
              ? [`begin ${index}`, `end ${index}`]
              : [],
          );
          const mine = log.filter((line) => {
            const given = steps[Number(line.split(" ")[1])];
            return given !== undefined && turnOf(given) === turn;
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
  ] as const)("do not wait for one another with %j and %j", async (turns) => {
    const steps = turns.map((turn, index) => {
      const ticks = index === 0 ? 400 : 0;
      return { ...turn, ending: "result", needsQuestion: false, ticks } as const;
    });
    expect(await runAtOnce(steps)).toEqual(["begin 0", "begin 1", "end 1", "end 0"]);
  });
});

it("says when a tool begins: after the question, and not at all when the answer is no", async () => {
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
  const onStart = (): void => void happened.push("begins");
  await run({ name: "Slow", input: {}, onStart });
  await run({ name: "Slow", input: {}, onStart });
  expect(happened).toEqual(["asked", "begins", "runs", "asked"]);
});
