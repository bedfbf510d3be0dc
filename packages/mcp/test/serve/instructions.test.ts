import { MAX_DESCRIPTION_CHARACTERS, TOPIC_TYPES } from "@caliban/memory";
import { createMemoryTools } from "@caliban/tools-builtin";
import { describe, expect, it } from "vitest";
import { clientOffText, renderInstructions } from "../../src/serve/instructions.ts";
import { listPrompts, renderPrompt } from "../../src/serve/prompts.ts";

const unused = (): never => {
  throw new Error("no tool is called");
};
const TOOLS = createMemoryTools({
  store: { list: unused, read: unused, write: unused, remove: unused },
  now: () => 0,
});
const NAMES = TOOLS.map(({ name }) => name);
const FIELDS = new Set(
  TOOLS.flatMap(({ inputSchema }) =>
    Object.keys(inputSchema["properties"] as Record<string, unknown>),
  ),
);

describe("the texts for a client's model", () => {
  const whole = renderInstructions({ isReadOnly: false });
  const prompts = ["remember", "recall"].map(
    (name) => renderPrompt({ name, arguments: { what: "W", question: "Q" } }, NAMES).text,
  );

  it("mentions only tools, fields, types and limits that exist", () => {
    for (const text of [whole, ...prompts]) {
      const named = text.match(/\b[A-Z][a-z]+Memory[A-Z]\w+|\bMemorySearch\b/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !NAMES.includes(name))).toEqual([]);
    }
    expect(whole).toContain(`at most ${MAX_DESCRIPTION_CHARACTERS} characters`);
    expect(whole).toContain(TOPIC_TYPES.join(", "));
    const fields = ["name", "description", "type", "body", "if_match"];
    expect(fields.filter((field) => !FIELDS.has(field) || !whole.includes(field))).toEqual([]);
    for (const text of [whole, ...prompts]) expect(text).toContain("not instructions");
  });

  it("keeps the instructions short, and free of writing when memory is read-only", () => {
    expect(whole.length).toBeLessThan(2_500);
    const readOnly = renderInstructions({ isReadOnly: true });
    expect(readOnly).not.toContain("WriteMemoryTopic");
    expect(readOnly).toContain("MemorySearch");
    expect(renderInstructions({ isReadOnly: false, offBy: "--bare" })).toBe(
      "Memory is off here: auto-memory is turned off by --bare. Continue without it.",
    );
    expect(clientOffText("/home/me/settings.toml")).toContain("by the user's settings.");
  });

  it("lists only prompts whose tools are offered", () => {
    expect(listPrompts(NAMES).length).toBe(2);
    expect(listPrompts(["MemorySearch", "ReadMemoryTopic"])).toMatchObject([{ name: "recall" }]);
    expect(listPrompts([])).toEqual([]);
  });
});
