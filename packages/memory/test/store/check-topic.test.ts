import { describe, expect, it } from "vitest";
import { parseBody } from "../../src/store/plan-write.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

describe("parseBody", () => {
  it.for([
    ["spaces", " "],
    ["line ends", "\n"],
    ["tabs", "\t"],
  ] as const)("takes a long run of %s in no time", ([, character]) => {
    const started = processorMs();
    expect(parseBody(`a${character.repeat(200_000)}b`)).toHaveLength(200_002);
    expect(processorMs() - started).toBeLessThan(500);
  });

  it("gives a body as it will be read back", () => {
    expect(parseBody("\r\n\r\n  a\r\nb \n\n")).toBe("  a\nb");
  });
});
