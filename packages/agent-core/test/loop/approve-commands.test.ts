import { expect, it } from "vitest";
import { type CommandPart, parseCommand } from "../../src/permissions/command-part.ts";
import type { PermissionPolicy } from "../../src/permissions/decide-permission.ts";
import type {
  PermissionAnswer,
  PermissionQuestion,
} from "../../src/permissions/permission-gate.ts";
import { parsePermissionRule } from "../../src/permissions/permission-rule.ts";
import { createToolRunner } from "../../src/loop/tool-runner.ts";
import type { Tool } from "../../src/tool.ts";

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function policyWith(rules: Partial<Record<"allow" | "ask" | "deny", string>>): PermissionPolicy {
  const lists = Object.entries(rules).map(([list, text]) => {
    const parsed = parsePermissionRule(text);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return [list, [{ ...parsed.rule, source: "settings.toml" }]];
  });
  return { ...NO_RULES, ...Object.fromEntries(lists) };
}

/** Every path that the command names may be read. */
function partsOf(input: unknown): readonly CommandPart[] | undefined {
  return parseCommand(String(input))?.map(({ text, prefix, reads }) => ({
    text,
    prefix,
    reads: reads && { files: reads.paths, shows: reads.shows },
  }));
}

const bash: Tool = {
  name: "Bash",
  description: "",
  permission: "shell.run",
  isReadOnly: false,
  inputSchema: {},
  orderKey: () => "shell",
  subjectOf: String,
  loadPartsOf: async () => partsOf,
  run: async (input) => ({ text: `ran ${String(input)}` }),
};
const edit: Tool = {
  ...bash,
  name: "Edit",
  permission: "fs.write",
  orderKey: () => undefined,
  loadPartsOf: async () => () => undefined,
};

interface Session {
  readonly questions: readonly PermissionQuestion[];
  readonly approved: ReadonlySet<string>;
  readonly run: (command: string) => Promise<string>;
}

function session(
  answers: readonly PermissionAnswer[],
  policy: PermissionPolicy = NO_RULES,
): Session {
  const questions: PermissionQuestion[] = [];
  const approved = new Set<string>();
  const left = [...answers];
  const { run } = createToolRunner({
    tools: [bash],
    policy,
    ask: async (question) => {
      questions.push(question);
      return left.shift() ?? "no";
    },
    approvals: {
      isApproved: async (subject) => approved.has(subject),
      approve: async (subject) => void approved.add(subject),
      canStore: async (subject) => !subject.includes("hunter2"),
    },
  });
  const command = async (input: string): Promise<string> =>
    (await run({ name: "Bash", input })).text;
  return { questions, approved, run: command };
}

it("asks in the order of the calls, also when an earlier call still runs", async () => {
  const asked: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow: Tool = {
    ...bash,
    run: async (input) => {
      if (input === "make 1") await promise;
      return { text: "" };
    },
  };
  const { run } = createToolRunner({
    tools: [slow, edit],
    ask: async ({ input }) => {
      asked.push(input);
      if (asked.length === 3) resolve();
      return "once";
    },
  });
  const calls = [
    ["Bash", "make 1"],
    ["Bash", "make 2"],
    ["Edit", "a.ts"],
  ] as const;
  await Promise.all(calls.map(async ([name, input]) => await run({ name, input })));
  expect(asked).toEqual(["make 1", "make 2", "a.ts"]);
});

it("runs a command that only reads without a question, also after a pipe", async () => {
  const { questions, run } = session([]);
  expect(await run("git log --oneline | head -5")).toContain("ran");
  expect(questions).toEqual([]);
});

it.for([
  [{ deny: "Bash(git log*)" }, "denies"],
  [{ ask: "Bash(git log*)" }, "declined"],
  [{ deny: "Read" }, "declined"],
  [{ ask: "fs.read" }, "declined"],
  [{ deny: "Read(secret/*)" }, "declined"],
] as const)("lets the rule %j win over a command that only reads", async ([rules, expected]) => {
  expect(await session([], policyWith(rules)).run("git log -p")).toContain(expected);
});

it("asks about a file that a rule denies, and not about others", async () => {
  const { questions, run } = session([], policyWith({ deny: "Read(secret/*)" }));
  expect(await run("cat a.ts")).toContain("ran");
  expect(await run("cat secret/a")).toContain("declined");
  expect(questions).toHaveLength(1);
});

it("runs commands that only read in plan mode, and no others", async () => {
  const { run } = session(["once"], { ...NO_RULES, mode: "plan" });
  expect(await run("git status")).toContain("ran");
  expect(await run("git commit -m x")).toContain("Plan mode");
});

it("approves a prefix for all safe arguments, and for nothing else", async () => {
  const { questions, approved, run } = session(["prefix"]);
  expect(await run("pnpm test src")).toContain("ran");
  expect(questions[0]?.prefixes).toEqual(["pnpm test *"]);
  expect([...approved]).toEqual(["permission:shell.run prefix(pnpm test *)"]);
  expect(await run("pnpm test")).toContain("ran");
  expect(await run("pnpm test --run 2>&1 | tail -5")).toContain("ran");
  expect(questions).toHaveLength(1);
  for (const command of ["pnpm tests", "pnpm test; rm x", "pnpm test ../x", "pnpm test > out"]) {
    expect(await run(command)).toContain("declined");
  }
});

it("offers a prefix for each part of a compound command that may not run yet", async () => {
  const { questions, run } = session(["prefix"]);
  await run("git add a && git commit -m x && git status");
  expect(questions[0]?.prefixes).toEqual(["git add *", "git commit *"]);
  expect(questions[0]?.prefixScope).toBe("git add * and git commit * in this workspace");
  expect(await run("git commit -m y")).toContain("ran");
  await run("git add a && make");
  expect(questions[1]?.prefixes).toBeUndefined();
});

it("asks about a command that only an exact approval with a star resembles", async () => {
  const { questions, run } = session(["always", "no"]);
  await run("git commit *");
  expect(await run("git commit -m x")).toContain("declined");
  expect(questions).toHaveLength(2);
});

it("offers no prefix where a rule asks, and none for a command with a secret", async () => {
  const asked = session(["prefix"], policyWith({ ask: "Bash(git commit*)" }));
  await asked.run("git commit -m x");
  expect(asked.questions[0]?.prefixes).toBeUndefined();
  const secret = session(["no"]);
  await secret.run("git commit -m hunter2");
  expect(secret.questions[0]).toMatchObject({ allowsAlways: false });
  expect(secret.questions[0]?.prefixes).toBeUndefined();
});

it("allows a compound command if a rule allows each part that does more than read", async () => {
  const { run } = session([], policyWith({ allow: "Bash(pnpm test*)" }));
  expect(await run("pnpm test | tail -5")).toContain("ran");
  expect(await run("pnpm test | tee out")).toContain("declined");
});

it("gives the model the instruction with which the user declined", async () => {
  const { run } = session([{ instead: "use pnpm ship" }]);
  expect(await run("npm publish")).toBe(
    "Bash was not run: the user declined and wrote what to do instead:\nuse pnpm ship",
  );
});

it("refuses a command that reads another file now than when it was permitted", async () => {
  let target = "a.ts";
  const linking: Tool = {
    ...bash,
    name: "Link",
    permission: "shell.link",
    loadPartsOf: async () => () => undefined,
    run: async () => {
      target = "b.ts";
      return { text: "" };
    },
  };
  const reading: Tool = {
    ...bash,
    loadPartsOf: async () => () => [
      { text: "cat x", reads: { files: [target], shows: "named text" } },
    ],
  };
  const { run } = createToolRunner({
    tools: [linking, reading],
    policy: policyWith({ allow: "Link" }),
  });
  const [, result] = await Promise.all([
    run({ name: "Link", input: "" }),
    run({ name: "Bash", input: "cat x" }),
  ]);
  expect(result).toMatchObject({ isError: true, data: { code: "CHANGED" } });
});
