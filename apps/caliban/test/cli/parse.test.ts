import { describe, expect, it } from "vitest";
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
    [["zzz"], "unknown command 'zzz' for 'caliban'.\nRun 'caliban --help' to see how it is used."],
    [["prompt", "x"], "unexpected argument 'x' for 'caliban prompt'."],
    [["--wrkspace", "x"], "unknown option '--wrkspace'\n(Did you mean --workspace?)"],
    [["settings", "set", "memory.auto"], "missing required argument 'value'"],
    [["memory", "--workspace"], "option '--workspace <directory>' argument missing"],
  ] as const)("%j is a mistake: %s", ([argv, text]) => {
    const parsed = parse(...argv);
    expect(parsed.kind).toBe("mistake");
    expect(parsed).toHaveProperty("text", expect.stringContaining(text));
  });

  it("explains itself", () => {
    expect(parse("--help")).toHaveProperty(
      "text",
      `\
Usage: caliban [options] [command]

A coding agent in the terminal that remembers.

Options:
  -V, --version            Print the version.
  --workspace <directory>  Work in this directory instead of the current one.
  --add-dir <directory>    Let the agent use this directory as well; may be
                           given several times.
  --allow <rule>           Let the agent use a tool without asking, such as
                           \`memory.write\`; may be given several times.
  --ask <rule>             Ask before a tool is used.
  --deny <rule>            Keep a tool from being used.
  --no-memory              Leave every memory tier out of this run.
  --bare                   Read no settings and no memory: nothing on disk
                           changes the prompt.
  -h, --help               Show this help.

Commands:
  memory [options]         Show the memory tiers with their paths and token
                           counts.
  prompt                   Print the exact system prompt of this directory.
  settings [options]       Show every setting, its value and where it comes
                           from.
  help [command]           Show help for a command.
`,
    );
  });
});
