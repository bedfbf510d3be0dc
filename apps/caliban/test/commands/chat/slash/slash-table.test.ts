import { expect, it } from "vitest";
import { SLASH_COMMANDS } from "../../../../src/commands/chat/slash/slash-table.ts";

it("contains no slash command twice, and loads every one", async () => {
  const names = SLASH_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  const loaded = await Promise.all(SLASH_COMMANDS.map(({ load }) => load()));
  expect(loaded.every((run) => typeof run === "function")).toBe(true);
});
