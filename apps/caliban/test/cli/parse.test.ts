import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { ALL_OPTIONS } from "../../src/cli/tokens.ts";
import { optionShape } from "../../src/cli/table/command-row.ts";
import { CONVERSATION_OPTIONS, GLOBAL_OPTIONS } from "../../src/cli/table/options.ts";

const parse = (...argv: readonly string[]): ReturnType<typeof parseCommandLine> =>
  parseCommandLine(argv);

describe("parseCommandLine", () => {
  it.for([
    [[], { kind: "run", operands: [], workspace: undefined, json: false }],
    [["memory", "--json"], { kind: "run", json: true }],
    [["sessions", "list", "--json"], { path: [{ name: "sessions" }], operands: [], json: true }],
    [["settings", "ls"], { path: [{ name: "settings" }], operands: [] }],
    [["mcp", "serve", "--read-only"], { path: [{ name: "mcp" }], options: { readOnly: true } }],
    [["mcp", "ls"], { path: [{ name: "mcp" }, { name: "list" }] }],
    [["memory", "ls"], { path: [{ name: "memory" }, { name: "list" }] }],
    [["sessions", "list", "--help"], { kind: "help", path: [{ name: "sessions" }] }],
    [["--workspace", "/w", "memory", "explain"], { kind: "run", workspace: "/w" }],
    [["memory", "explain", "--workspace=/w"], { kind: "run", workspace: "/w" }],
    [["settings", "set", "a.b", "1", "2"], { kind: "run", operands: ["a.b", "1", "2"] }],
    [["settings", "set", "a.b", "-1", "-2.5"], { kind: "run", operands: ["a.b", "-1", "-2.5"] }],
    [["memory", "search", "--limit", "-3", "--", "-1"], { kind: "run", operands: ["-1"] }],
    [["memory", "search", "a", "--limit", "-3"], { kind: "run", options: { limit: "-3" } }],
    [["-p", "-1"], { kind: "run", operands: ["-1"], options: { print: true } }],
    [["memory", "search", "a", "--limit", "3", "b"], { kind: "run", operands: ["a", "b"] }],
    [["memory", "search", "--", "-x", "memory"], { kind: "run", operands: ["-x", "memory"] }],
    [
      ["--add-dir", "/a", "memory", "--add-dir", "/b", "--bare", "--no-memory"],
      { kind: "run", additionalDirectories: ["/a", "/b"], bare: true, memory: false },
    ],
    [["--version"], { kind: "version" }],
    [["memory", "-V"], { kind: "version" }],
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
    [["-pfix"], { kind: "run", options: { print: "fix" } }],
    [["-cp", "fix it"], { kind: "run", operands: ["fix it"], options: { print: true } }],
    [["-p", ""], { kind: "run", options: { print: "" } }],
    [["-r"], { kind: "run", options: { resume: true } }],
    [["-r", "abc", "go on"], { kind: "run", operands: ["go on"], options: { resume: "abc" } }],
    [["--print=--help"], { kind: "run", options: { print: "--help" } }],
    [["--system=--bare"], { kind: "run", bare: false, options: { system: "--bare" } }],
    [["prompt", "--system", "x"], { kind: "run", options: { system: "x" } }],
    [["doctor", "--model", "a/b"], { kind: "run", options: { model: "a/b" } }],
    [["--model", "a/b", "--model", "c/d"], { kind: "run", options: { model: "c/d" } }],
  ] as const)("parses %j into %o", ([argv, expected]) => {
    expect(parse(...argv)).toMatchObject(expected);
  });

  it.for([
    [["--help"], []],
    [["help"], []],
    [["-p", "x", "-h"], []],
    [["help", "memory"], ["memory"]],
    [
      ["memory", "write", "--help"],
      ["memory", "write"],
    ],
    [
      ["help", "memory", "reset"],
      ["memory", "clear"],
    ],
  ] as const)("finds the command whose help %j requests", ([argv, names]) => {
    const parsed = parse(...argv);
    expect(parsed.kind).toBe("help");
    expect("path" in parsed && parsed.path.map(({ name }) => name)).toEqual(names);
  });

  it.for([
    [["memry"], "unknown command 'memry'; did you mean 'memory'?"],
    [["help", "memry"], "unknown command 'memry'; did you mean 'memory'?"],
    [["memry", "list"], "unknown command 'memry'; did you mean 'memory'?"],
    [["--no-save", "memry"], "unknown command 'memry'; did you mean 'memory'?"],
    [["hi"], "unknown command 'hi'. To send it as a message, run: caliban -p 'hi'"],
    [["don't"], "unknown command 'don't'. To send it as a message, run: caliban -p 'don'\\''t'"],
    [
      ["zzz", "it"],
      "unknown command 'zzz'. Quote the message, or pass it with -p: caliban \"fix the tests\"",
    ],
    [["help", "nope"], "unknown command 'nope'"],
    [["nope", "--help"], "unknown command 'nope'"],
    [["memory", "list", "-1"], "unexpected argument '-1' for 'caliban memory list'"],
    [
      ["memory", "explian"],
      "unknown subcommand 'explian' for 'caliban memory'; did you mean 'explain'?",
    ],
    [["memory", "-p", "x"], "--print applies to conversations, not to 'caliban memory'"],
    [
      ["memory", "list", "--no-save"],
      "--no-save applies to conversations, not to 'caliban memory list'",
    ],
    [["settings", "--system", "x"], "--system applies to conversations, not to 'caliban settings'"],
    [["-p", "x", "--modle", "y"], "unknown option '--modle'; did you mean '--model'?"],
    [["--wrkspace", "x"], "unknown option '--wrkspace'; did you mean '--workspace'?"],
    [["prompt", "--limit", "3"], "unknown option '--limit'"],
    [["-p", "x", "--model"], "--model requires a value: --model <provider/model>"],
    [["--model", "--bare"], "--model requires a value: --model <provider/model>"],
    [["memory", "--workspace"], "--workspace requires a value: --workspace <directory>"],
    [["memory", "--json=yes"], "--json does not take a value"],
    [["prompt", "x"], "unexpected argument 'x' for 'caliban prompt'"],
    [["memory", "show", "a", "b"], "unexpected argument 'b' for 'caliban memory show'"],
    [["settings", "set", "memory.auto"], "'caliban settings set' requires <value...>"],
  ] as const)("rejects %j and says why: %s", ([argv, message]) => {
    expect(parse(...argv)).toMatchObject({ kind: "usage-error", message });
  });

  it("gives an option a value either in every command or in none", () => {
    const kinds = new Map<string, string>();
    for (const row of ALL_OPTIONS) {
      const { long, value } = optionShape(row);
      expect([long, kinds.get(long) ?? value]).toEqual([long, value]);
      kinds.set(long, value);
    }
  });

  it("keeps every value and every word, in whatever order options and words come", () => {
    const options = [...GLOBAL_OPTIONS, ...CONVERSATION_OPTIONS]
      .map(optionShape)
      .filter(({ value, name }) => value === "required" && name !== "workspace");
    const line = fc.array(
      fc.record({
        shape: fc.constantFrom(...options),
        value: fc.constantFrom("x", "memory", "two words", "-1", "help"),
        isInline: fc.boolean(),
      }),
      { maxLength: 4 },
    );
    const words = fc.constantFrom([], ["two words"], ["memory"], ["memory", "list"], ["prompt"]);
    const isKept = fc.property(line, words, fc.boolean(), (given, names, isFirst) => {
      const flags = given.flatMap(({ shape: { long }, value, isInline }) =>
        isInline ? [`${long}=${value}`] : [long, value],
      );
      const parsed = parse(...(isFirst ? [...names, ...flags] : [...flags, ...names]));
      if (parsed.kind !== "run") return names.length > 0 && parsed.kind === "usage-error";
      const lists = { addDir: parsed.additionalDirectories, ...parsed.permissions };
      const valueOf = (name: string): unknown =>
        name in lists ? lists[name as keyof typeof lists].at(-1) : parsed.options[name];
      const areKept = options.every(
        ({ name }) => valueOf(name) === given.findLast(({ shape }) => shape.name === name)?.value,
      );
      return areKept && parsed.operands.join() === names.filter((name) => / /.test(name)).join();
    });
    expect(fc.check(isKept, { numRuns: 200 })).toMatchObject({ failed: false });
  });

  it("resolves an alias to its command", () => {
    const parsed = parse("memory", "reset");
    expect("path" in parsed && parsed.path.map(({ name }) => name)).toEqual(["memory", "clear"]);
  });
});
