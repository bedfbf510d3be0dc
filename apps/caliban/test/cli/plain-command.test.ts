import { expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { plainCommand } from "../../src/cli/plain-command.ts";

const names = COMMANDS.flatMap(({ name, subcommands = [] }) =>
  [[name]].concat(subcommands.map((row) => [name, row.name])),
);

it.for([[], ...names])("means by %j what the parser means", async (argv) => {
  const parsed = parseCommandLine(argv, "1.2.3");
  const plain = plainCommand(argv);
  // What needs operands is the parser's to refuse.
  expect(await plain?.()).toBe(parsed.kind === "run" ? await parsed.load() : undefined);
});

it.for([
  ["memry"],
  ["memory", "--json"],
  ["settings", "set"],
  ["memory", "explain", "x"],
  ["help"],
  ["-h"],
  ["x", "memory"],
])("leaves %j to the parser", (argv) => {
  expect(plainCommand(argv)).toBeUndefined();
});
