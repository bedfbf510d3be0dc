import { MAX_DESCRIPTION_CHARACTERS, TOPIC_TYPES } from "@caliban/memory";
import { createMemoryTools } from "@caliban/tools-builtin";
import { describe, expect, it } from "vitest";
import { instructionsFor, offTextForClients } from "../../src/serve/instructions.ts";
import { listPrompts, renderPrompt } from "../../src/serve/prompts.ts";
import { createPathRedactor } from "../../src/serve/hide-paths.ts";

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

describe("what a client's model is told", () => {
  const whole = instructionsFor({ isReadOnly: false });
  const prompts = ["remember", "recall"].map(
    (name) => renderPrompt({ name, arguments: { what: "W", question: "Q" } }, NAMES).text,
  );

  it("names tools, fields, types and limits as they are", () => {
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

  it("is short, and says nothing of writing where nothing can be written", () => {
    expect(whole.length).toBeLessThan(2_500);
    const looking = instructionsFor({ isReadOnly: true });
    expect(looking).not.toContain("WriteMemoryTopic");
    expect(looking).toContain("MemorySearch");
    expect(instructionsFor({ isReadOnly: false, offBy: "--bare" })).toBe(
      "There are no notes here: auto-memory is turned off by --bare. Go on without.",
    );
    expect(offTextForClients("/home/me/settings.toml")).toContain("by the person's settings.");
  });

  it("offers prompts only with the tools that they speak of", () => {
    expect(listPrompts(NAMES).length).toBe(2);
    expect(listPrompts(["MemorySearch", "ReadMemoryTopic"])).toMatchObject([{ name: "recall" }]);
    expect(listPrompts([])).toEqual([]);
  });
});

describe("places of the disk in an error", () => {
  it("are hidden, the inner ones first", () => {
    const hide = createPathRedactor([
      { name: "home", path: "/home/me" },
      { name: "notes", path: "/home/me/notes" },
      { name: "none", path: undefined },
    ]);
    expect(hide("/home/me/notes/a.md and /home/me/b, /etc/c")).toBe(
      "<notes>/a.md and <home>/b, /etc/c",
    );
  });
});
