import { describe, expect, it } from "vitest";
import { memoryCalls } from "../support/memory-calls.ts";
import type { RuleTexts } from "../support/rules.ts";

const CHANGE = { name: "payroll", description: "d", type: "project", body: "b" };

const calling = (rules: RuleTexts): ReturnType<typeof memoryCalls> =>
  memoryCalls(["payroll"], rules);

describe("readableTopics", () => {
  it("refuses to read a topic whose address a rule denies", async () => {
    const call = calling({ deny: "fs.read(memory://topics/pay*)" });
    for (const name of ["payroll", "PAYROLL"]) {
      const { text, isError, data } = await call("ReadMemoryTopic", { name });
      expect(isError).toBe(true);
      expect(text).toContain("a permission rule denies reading payroll");
      expect(text + JSON.stringify(data)).not.toContain("zebra");
    }
  });

  it.for([
    [{ deny: "memory.read(pay*)" }, "denies reading it"],
    [{ deny: "memory.read" }, "denies reading it"],
    [{ deny: "fs.read(memory://topics/pay*)" }, "denies reading it"],
    [{ ask: "memory.read(pay*)" }, "Use ReadMemoryTopic"],
  ] as const)("hides the text of a denied topic in a conflict: %j", async ([rules, words]) => {
    const call = calling(rules);
    for (const [name, input] of [
      ["WriteMemoryTopic", CHANGE],
      ["WriteMemoryTopic", { ...CHANGE, if_match: "000000000000" }],
      ["DeleteMemoryTopic", { name: "payroll", if_match: "000000000000" }],
    ] as const) {
      const { text, isError, data } = await call(name, input);
      expect(isError).toBe(true);
      expect(text).toContain(words);
      expect(text + JSON.stringify(data)).not.toMatch(/zebra|[0-9a-f]{12}/);
    }
  });

  it("shows the text of a readable topic in a conflict", async () => {
    const call = calling({ deny: "fs.read(memory://topics/dep*)" });
    const read = await call("ReadMemoryTopic", { name: "payroll" });
    expect(read.text).toContain("zebra");
    const { text } = await call("WriteMemoryTopic", CHANGE);
    expect(text).toContain("zebra");
  });

  it.for([
    [{ deny: "memory.read(pay*)" }, "payroll", "denies it"],
    [{ deny: "memory.read(pay*)" }, "PAYROLL", "a permission rule denies reading payroll"],
    [{ ask: "memory.read(pay*)" }, "payroll", "requires approval"],
    [{ ask: "memory.read(pay*)" }, "PAYROLL", "applies to payroll; request it by that name"],
    [{ ask: "memory.read" }, "PAYROLL", "requires approval"],
  ] as const)("refuses with %j to read a denied topic as %s", async ([rules, name, words]) => {
    const call = calling(rules);
    const { text, isError, data } = await call("ReadMemoryTopic", { name });
    expect(isError).toBe(true);
    expect(text).toContain(words);
    expect(text + JSON.stringify(data)).not.toContain("zebra");
  });

  it("suggests no topic that a rule denies", async () => {
    const call = memoryCalls(["deploy", "payroll"], { deny: "memory.read(payroll)" });
    const { text, data } = await call("ReadMemoryTopic", { name: "payrol" });
    expect(text).toContain("the only topic");
    expect(data).toEqual({ nearest: [] });
  });

  it("applies a pattern only to the topics that it matches", async () => {
    for (const rule of ["memory.read(dep*)", "ReadMemoryTopic(deploy)"]) {
      for (const kind of ["ask", "deny"]) {
        const call = calling({ [kind]: rule });
        const { text } = await call("ReadMemoryTopic", { name: "payroll" });
        expect(text).toContain("zebra");
      }
    }
  });

  // The store does not check changes against the rules by the name on disk, so no other spelling may bypass them.
  it.for([
    ["memory.write(pay*)", "WriteMemoryTopic", { ...CHANGE, name: "PAYROLL" }],
    ["memory.delete(pay*)", "DeleteMemoryTopic", { name: "PAYROLL", if_match: "000000000000" }],
  ] as const)(
    "refuses to change a topic under another spelling when %s is denied",
    async ([deny, name, input]) => {
      const call = calling({ deny });
      const { text, isError } = await call(name, input);
      expect(isError).toBe(true);
      expect(text).toContain("denies it");
    },
  );
});
