import { expect, it } from "vitest";
import { COMMANDS } from "../src/cli/table/commands.ts";
import { COMMAND_LOADERS } from "../src/command-loaders.ts";

it("loads a function for every command of the table, and nothing else", async () => {
  const paths = COMMANDS.flatMap(({ name, subcommands = [] }) =>
    [name].concat(subcommands.map((below) => `${name} ${below.name}`)),
  );
  expect(Object.keys(COMMAND_LOADERS).toSorted()).toEqual(["", ...paths].toSorted());
  for (const load of Object.values(COMMAND_LOADERS)) expect(await load()).toBeInstanceOf(Function);
});
