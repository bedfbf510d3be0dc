import { describe, expect, it } from "vitest";
import { toolOutcome } from "../../src/transcript/tool-summary.ts";

describe("the outcome of a stored command, whose data was not kept", () => {
  const outcome = (text: string, isError: boolean): string =>
    toolOutcome({
      kind: "tool",
      id: "1",
      name: "Bash",
      input: { command: "x" },
      result: { text, isError },
    });

  it("shows the exit code of a failed command, or the first line of a refusal", () => {
    expect(outcome("line 1\nline 2\n\nExit code 1.", true)).toBe("exit 1");
    expect(outcome("Not allowed.\nAsk.", true)).toBe("Not allowed.");
  });

  it("counts the lines before the last paragraph, whatever that says", () => {
    expect(outcome("line 1\n\nline 3\n\nDone.", false)).toBe("3 lines");
    expect(outcome("Nothing was printed.", false)).toBe("no output");
  });
});
