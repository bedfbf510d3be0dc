import { expect, it } from "vitest";
import type { CommandRow } from "../src/cli/table/command-row.ts";
import { COMMANDS } from "../src/cli/table/commands.ts";
import { COMMAND_LOADERS } from "../src/command-loaders.ts";

const pathsOf = ({ name, subcommands = [] }: CommandRow): readonly string[] => [
  name,
  ...subcommands.flatMap(pathsOf).map((below) => `${name} ${below}`),
];

it("loads a function for every command of the table, and nothing else", async () => {
  const paths = COMMANDS.flatMap(pathsOf);
  expect(Object.keys(COMMAND_LOADERS).toSorted()).toEqual(["", ...paths].toSorted());
  for (const load of Object.values(COMMAND_LOADERS)) expect(await load()).toBeInstanceOf(Function);
});
