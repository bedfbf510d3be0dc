import { describe, expect, it } from "vitest";
import { parseBody } from "../../src/store/plan-write.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

describe("parseBody", () => {
  it.for([
    ["spaces", " "],
    ["line ends", "\n"],
    ["tabs", "\t"],
  ] as const)("parses a body with 200,000 %s in a row", ([, character]) => {
    const started = processorMs();
    expect(parseBody(`a${character.repeat(200_000)}b`)).toHaveLength(200_002);
    expect(processorMs() - started).toBeLessThan(500);
  });

  it("returns a body as it is read back: LF line ends, no empty lines around it", () => {
    expect(parseBody("\r\n\r\n  a\r\nb \n\n")).toBe("  a\nb");
  });
});
