import { createMapTopicStore } from "@caliban/memory";
import { describe, expect, expectTypeOf, it } from "vitest";
import { memoryTools } from "../../src/mastra/mastra-tools.ts";

const TOPIC = {
  name: "editor",
  description: "uses vim",
  type: "user",
  body: "Vim.",
} as const;

describe("memoryTools for Mastra", () => {
  it("runs a tool, and gives the model its text", async () => {
    const store = createMapTopicStore({ scope: "user" });
    const tools = memoryTools(store, { prefix: "user_", user: "u-7" });
    const written = await tools.user_WriteMemoryTopic.execute(TOPIC);
    if (written.isError === true) throw new Error(written.text);
    expectTypeOf(written.data.slug).toBeString();
    expect(tools.user_WriteMemoryTopic.toModelOutput(written)).toEqual({
      type: "text",
      value: written.text,
    });
    const [change] = await store.log();
    expect(change).toMatchObject({ user: "u-7" });
  });

  it("marks a refusal as an error for the model", async () => {
    const tools = memoryTools(createMapTopicStore());
    const read = await tools.ReadMemoryTopic.execute({ name: "none" });
    expect(tools.ReadMemoryTopic.toModelOutput(read).type).toBe("error-text");
  });

  it("lets Mastra ask about the given tools only", () => {
    const options = { prefix: "p_", requireApproval: ["DeleteMemoryTopic"] } as const;
    const tools = Object.values(memoryTools(createMapTopicStore(), options));
    expect(tools.map(({ id, requireApproval }) => [id, requireApproval])).toEqual([
      ["p_ReadMemoryTopic", false],
      ["p_WriteMemoryTopic", false],
      ["p_DeleteMemoryTopic", true],
      ["p_MemorySearch", false],
    ]);
  });
});
