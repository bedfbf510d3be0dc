import { describe, expect, it } from "vitest";
import { toolOutcome } from "../../src/transcript/tool-summary.ts";

describe("the outcome of a command of which only the words were kept", () => {
  const outcome = (text: string): string =>
    toolOutcome({
      kind: "tool",
      id: "1",
      name: "Bash",
      input: { command: "x" },
      result: { text, isError: true },
    });

  it.for([
    "line 1\n\nThe person interrupted it; it was stopped.",
    "No output. The person interrupted it; its process group was stopped, and what left it by setsid may still run.",
  ])("is that it was interrupted: %j", (text) => {
    expect(outcome(text)).toBe("interrupted");
  });

  it("is its first line when an interruption is only printed", () => {
    expect(outcome("The person interrupted it; it was so.\n\nExit code 1.")).toBe(
      "The person interrupted it; it was so.",
    );
  });
});
