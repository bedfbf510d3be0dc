import { describe, expect, it } from "vitest";
import { memoryCalls } from "../support/memory-calls.ts";

describe("readableSearch", () => {
  it.for([
    ["no rule", [], ["deploy", "payments", "payroll"], undefined],
    ["memory.read", ["memory.read"], [], "3 matching topics are not shown: permission rules deny"],
    ["the tool", ["ReadMemoryTopic"], [], "3 matching topics are not shown"],
    ["a pattern", ["memory.read(pay*)"], ["deploy"], "2 matching topics are not shown"],
    [
      "a pattern of the tool",
      ["ReadMemoryTopic(payroll)"],
      ["deploy", "payments"],
      "1 matching topic is not shown: a permission rule denies reading it.",
    ],
    [
      "a pattern of addresses",
      ["fs.read(memory://topics/dep*)"],
      ["payments", "payroll"],
      "1 matching topic is not shown",
    ],
    ["no reading of files", ["fs.read"], ["deploy", "payments", "payroll"], undefined],
  ] as const)("shows only what may be read when %s is denied", async ([, deny, expected, note]) => {
    const call = memoryCalls(["deploy", "payments", "payroll"], { deny });
    const { text, data } = await call("MemorySearch", { query: "zebra" });
    const whole = text + JSON.stringify(data);
    const shown = ["deploy", "payments", "payroll"].filter((slug) => whole.includes(slug));
    expect(shown).toEqual(expected);
    expect(text.includes("not shown")).toBe(note !== undefined);
    expect(text).toContain(note ?? "");
  });

  it("fills the places of denied topics with readable ones", async () => {
    const denied = Array.from({ length: 5 }, (_, at) => `pay-${at}`);
    const call = memoryCalls([...denied, "deploy"], { deny: "memory.read(pay*)" });
    const { text } = await call("MemorySearch", { query: "zebra", limit: 2 });
    expect(text).toContain("deploy");
    expect(text).not.toContain("pay-");
  });
});
