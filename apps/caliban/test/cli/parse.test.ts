import { describe, expect, it } from "vitest";
import { HELP_TEXT } from "../../src/cli/help-text.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";

const parse = (...argv: readonly string[]): ReturnType<typeof parseCommandLine> =>
  parseCommandLine(argv, "1.2.3");

describe("the command line", () => {
  it.for([
    [[], { kind: "run", operands: [], workspace: undefined, json: false }],
    [["memory", "--json"], { kind: "run", json: true }],
    [["--workspace", "/w", "memory", "explain"], { kind: "run", workspace: "/w" }],
    [["memory", "explain", "--workspace", "/w"], { kind: "run", workspace: "/w" }],
    [["settings", "set", "a.b", "1", "2"], { kind: "run", operands: ["a.b", "1", "2"] }],
    [
      ["--add-dir", "/a", "memory", "--add-dir", "/b", "--bare", "--no-memory"],
      { kind: "run", additionalDirectories: ["/a", "/b"], bare: true, memory: false },
    ],
    [["--version"], { kind: "help", text: "1.2.3\n" }],
    [["--help"], { kind: "help" }],
    [["fix the tests"], { kind: "run", operands: ["fix the tests"] }],
    [["fix the tests", "now"], { kind: "run", operands: ["fix the tests", "now"] }],
    [["-p", "memory"], { kind: "run", operands: [], options: { print: "memory" } }],
    [
      ["-p", "fix", "memory", "leak"],
      { kind: "run", operands: ["memory", "leak"], options: { print: "fix" } },
    ],
    [["-p", "x", "help"], { kind: "run", operands: ["help"], options: { print: "x" } }],
    [
      ["--print", "--no-save", "-c", "two words"],
      {
        kind: "run",
        operands: ["two words"],
        options: { print: true, save: false, continue: true },
      },
    ],
    [
      ["-p", "- one\n- two", "--bare"],
      { kind: "run", bare: true, options: { print: "- one\n- two" } },
    ],
    [["-p", "--model x"], { kind: "run", options: { print: "--model x" } }],
    [["-r"], { kind: "run", options: { resume: true } }],
    [["-r", "abc", "go on"], { kind: "run", operands: ["go on"], options: { resume: "abc" } }],
    [["--print=--help"], { kind: "run", options: { print: "--help" } }],
    [["prompt", "--system", "x"], { kind: "run", options: { system: "x" } }],
    [["doctor", "--model", "a/b"], { kind: "run", options: { model: "a/b" } }],
    [["help", "memory"], { kind: "help" }],
  ] as const)("%j is %o", ([argv, expected]) => {
    expect(parse(...argv)).toMatchObject(expected);
  });

  it.for([
    [["memry"], "unknown command 'memry' for 'caliban'. Did you mean 'memory'?"],
    [
      ["memory", "explian"],
      "unknown command 'explian' for 'caliban memory'. Did you mean 'explain'?",
    ],
    [["memry", "list"], "unknown command 'memry' for 'caliban'. Did you mean 'memory'?"],
    [["--no-save", "memry"], "unknown command 'memry' for 'caliban'. Did you mean 'memory'?"],
    [
      ["zzz"],
      "unknown command 'zzz' for 'caliban'. A message for the agent stands in quotes, or behind -p.\nRun 'caliban --help' to see how it is used.",
    ],
    [["memory", "-p", "x"], "--print is for a conversation, not for 'caliban memory'."],
    [
      ["memory", "list", "--no-save"],
      "--no-save is for a conversation, not for 'caliban memory list'.",
    ],
    [["settings", "--system", "x"], "--system is for a conversation, not for 'caliban settings'."],
    [["-p", "x", "--modle", "y"], "unknown option '--modle'\n(Did you mean one of --mode"],
    [["-p", "x", "--model"], "option '--model <provider/model>' argument missing"],
    [["prompt", "x"], "unexpected argument 'x' for 'caliban prompt'."],
    [["--wrkspace", "x"], "unknown option '--wrkspace'\n(Did you mean --workspace?)"],
    [["settings", "set", "memory.auto"], "missing required argument 'value'"],
    [["memory", "--workspace"], "option '--workspace <directory>' argument missing"],
  ] as const)("%j is a mistake: %s", ([argv, text]) => {
    const parsed = parse(...argv);
    expect(parsed.kind).toBe("mistake");
    expect(parsed).toHaveProperty("text", expect.stringContaining(text));
  });

  it("shows below a command the options that it takes", () => {
    const { text } = parse("prompt", "--help") as { readonly text: string };
    expect(text).toContain("--workspace <directory>");
    expect(text).toContain("--system-file <path>");
    expect(text).not.toContain("--print");
  });

  it("explains itself", () => {
    expect(parse("--help")).toHaveProperty("text", HELP_TEXT);
    expect(parse("help")).toHaveProperty("text", HELP_TEXT);
    expect(HELP_TEXT.split("\n").every((line) => line.length <= 80)).toBe(true);
  });
});
