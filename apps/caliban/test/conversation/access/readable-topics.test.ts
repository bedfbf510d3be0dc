import { createToolRunner } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { composeAgent } from "../../../src/conversation/prompt/compose-agent.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { machine } from "../../fake-host.ts";

const NOTE = ".local/share/caliban/projects/SLUG/memory/payroll.md";
const TEXT =
  "---\nname: payroll\ndescription: about it\nmetadata:\n  type: project\n---\n\nThe zebra.\n";
const CHANGE = { name: "payroll", description: "d", type: "project", body: "b" };

async function calling(rules: { readonly ask?: string; readonly deny?: string }) {
  const here = await machine({ [NOTE]: TEXT });
  const { ask, deny } = rules;
  const listed = (rule: string | undefined): string[] => (rule === undefined ? [] : [rule]);
  const permissions = { allow: [], ask: listed(ask), deny: listed(deny) };
  const invocation = { ...NO_OPTIONS, host: here.host, permissions };
  const project = await openProject(invocation);
  const memory = await project.memory();
  const { tools, policy } = await composeAgent({ project, memory, overrides: {} });
  return createToolRunner({ tools, policy, notify: () => undefined }).run;
}

describe("readableTopics", () => {
  it("refuses to read a topic whose address a rule denies", async () => {
    const run = await calling({ deny: "fs.read(memory://topics/pay*)" });
    for (const name of ["payroll", "PAYROLL"]) {
      const { text, isError, data } = await run({ name: "ReadMemoryTopic", input: { name } });
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
    const run = await calling(rules);
    for (const [name, input] of [
      ["WriteMemoryTopic", CHANGE],
      ["WriteMemoryTopic", { ...CHANGE, if_match: "000000000000" }],
      ["DeleteMemoryTopic", { name: "payroll", if_match: "000000000000" }],
    ] as const) {
      const { text, isError, data } = await run({ name, input });
      expect(isError).toBe(true);
      expect(text).toContain(words);
      expect(text + JSON.stringify(data)).not.toMatch(/zebra|[0-9a-f]{12}/);
    }
  });

  it("shows the text of a readable topic in a conflict", async () => {
    const run = await calling({ deny: "fs.read(memory://topics/dep*)" });
    const read = await run({ name: "ReadMemoryTopic", input: { name: "payroll" } });
    expect(read.text).toContain("zebra");
    const { text } = await run({ name: "WriteMemoryTopic", input: CHANGE });
    expect(text).toContain("zebra");
  });

  it.for([
    [{ deny: "memory.read(pay*)" }, "payroll", "denies it"],
    [{ deny: "memory.read(pay*)" }, "PAYROLL", "a permission rule denies reading payroll"],
    [{ ask: "memory.read(pay*)" }, "payroll", "requires approval"],
    [{ ask: "memory.read(pay*)" }, "PAYROLL", "applies to payroll; request it by that name"],
    [{ ask: "memory.read" }, "PAYROLL", "requires approval"],
  ] as const)("refuses with %j to read a denied topic as %s", async ([rules, name, words]) => {
    const run = await calling(rules);
    const { text, isError, data } = await run({ name: "ReadMemoryTopic", input: { name } });
    expect(isError).toBe(true);
    expect(text).toContain(words);
    expect(text + JSON.stringify(data)).not.toContain("zebra");
  });

  it("applies a pattern only to the topics that it matches", async () => {
    for (const rule of ["memory.read(dep*)", "ReadMemoryTopic(deploy)"]) {
      for (const kind of ["ask", "deny"]) {
        const run = await calling({ [kind]: rule });
        const { text } = await run({ name: "ReadMemoryTopic", input: { name: "payroll" } });
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
      const run = await calling({ deny });
      const { text, isError } = await run({ name, input });
      expect(isError).toBe(true);
      expect(text).toContain("denies it");
    },
  );
});
