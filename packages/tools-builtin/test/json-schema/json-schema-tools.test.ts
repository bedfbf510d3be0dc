import { createMapTopicStore } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { type JsonSchemaTool, memoryTools } from "../../src/json-schema/json-schema-tools.ts";

const TOPIC = {
  name: "deploy",
  description: "how we deploy",
  type: "project",
  body: "With pnpm ship.",
  if_match: null,
};

describe("memoryTools for JSON Schema", () => {
  it("offers schemas that OpenAI's strict mode accepts", () => {
    const tools = memoryTools(createMapTopicStore());
    expect(tools.map(({ strict }) => strict)).toEqual([true, true, true, true]);
    for (const { parameters } of tools) {
      expect(Object.keys(parameters).toSorted()).toEqual([
        "additionalProperties",
        "properties",
        "required",
        "type",
      ]);
      expect(parameters.additionalProperties).toBe(false);
      expect(parameters.required).toEqual(Object.keys(parameters.properties));
      for (const field of Object.values(parameters.properties)) {
        expect(["description", "enum", "type"]).toEqual(expect.arrayContaining(Object.keys(field)));
      }
    }
  });

  it("lets optional fields be null, and only those", () => {
    const { parameters } = toolNamed("MemorySearch", memoryTools(createMapTopicStore()));
    expect(parameters.properties).toEqual({
      query: { type: "string", description: expect.any(String) },
      limit: {
        type: ["integer", "null"],
        description: expect.stringMatching(/ Null to omit it\.$/),
      },
      kind: {
        type: ["string", "null"],
        enum: ["topics", "sessions", "all", null],
        description: expect.any(String),
      },
      type: {
        type: ["string", "null"],
        enum: ["user", "feedback", "project", "reference", null],
        description: expect.any(String),
      },
      since: { type: ["string", "null"], description: expect.any(String) },
    });
  });

  it("runs a call with nulls, from an object and from its JSON", async () => {
    const store = createMapTopicStore();
    const tools = memoryTools(store, { session: "s-1" });
    const write = toolNamed("WriteMemoryTopic", tools);
    expect(await write.execute(TOPIC)).toContain("Saved the new topic deploy");
    expect(await write.execute(JSON.stringify({ ...TOPIC, name: "two" }))).toContain("Saved");
    expect((await store.read("two"))?.topic).toMatchObject({ session: "s-1", after: undefined });
    const search = { query: "ship", limit: null, kind: null, type: null, since: null };
    const { data, isError } = await toolNamed("MemorySearch", tools).run(search);
    expect(isError).toBeUndefined();
    expect(data).toMatchObject({ searched: { topics: 2 } });
  });

  it.for([
    ["{", "WriteMemoryTopic was not run: its arguments are not valid JSON."],
    [null, "WriteMemoryTopic was not run."],
    [{ ...TOPIC, name: null }, "WriteMemoryTopic was not run. name:"],
  ] as const)("explains what is wrong with the input %j", async ([input, text]) => {
    const write = toolNamed("WriteMemoryTopic", memoryTools(createMapTopicStore()));
    const result = await write.run(input);
    expect(result.isError).toBe(true);
    expect(result.text).toContain(text);
  });

  it("takes the same options as the other adapters", () => {
    const options = { prefix: "user_", readOnly: true };
    expect(memoryTools(createMapTopicStore(), options).map(({ name }) => name)).toEqual([
      "user_ReadMemoryTopic",
      "user_MemorySearch",
    ]);
  });
});

function toolNamed(name: string, tools: readonly JsonSchemaTool[]): JsonSchemaTool {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}
