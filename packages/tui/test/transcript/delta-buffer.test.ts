import type { AgentEvent } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { createDeltaBuffer } from "../../src/transcript/delta-buffer.ts";

describe("the delta buffer", () => {
  it("merges the chunks of an answer, and passes them on in order before later events", async () => {
    const seen: AgentEvent[] = [];
    const add = createDeltaBuffer({ emit: (event) => void seen.push(event), delayMs: () => 5 });
    add({ type: "reasoning-delta", text: "hm" });
    add({ type: "text-delta", text: "a" });
    add({ type: "text-delta", text: "b" });
    expect(seen).toEqual([{ type: "reasoning-delta", text: "hm" }]);
    add({ type: "step-start", step: 2 });
    add({ type: "text-delta", text: "c" });
    expect(seen.slice(1)).toEqual([
      { type: "text-delta", text: "ab" },
      { type: "step-start", step: 2 },
    ]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(seen.at(-1)).toEqual({ type: "text-delta", text: "c" });
  });
});
