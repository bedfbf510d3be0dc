import { createToolRunner } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { composeAgent } from "../../../src/conversation/prompt/compose-agent.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { type Machine, machine } from "../../fake-host.ts";

const MEMORY = ".local/share/caliban/projects/SLUG/memory";
const topic = (slug: string): string =>
  `---\nname: ${slug}\ndescription: about ${slug}\nmetadata:\n  type: project\n---\n\nThe zebra of ${slug}.\n`;

async function withTopics(slugs: readonly string[]): Promise<Machine> {
  return await machine(
    Object.fromEntries(slugs.map((slug) => [`${MEMORY}/${slug}.md`, topic(slug)])),
  );
}

/** Searches for the one word that all topics contain. */
async function searched(here: Machine, deny: readonly string[], more: object = {}) {
  const permissions = { allow: [], ask: [], deny };
  const invocation = { ...NO_OPTIONS, host: here.host, permissions };
  const project = await openProject(invocation);
  const memory = await project.memory();
  const { tools, policy } = await composeAgent({ project, memory, overrides: {} });
  const { run } = createToolRunner({ tools, policy, notify: () => undefined });
  return await run({ name: "MemorySearch", input: { query: "zebra", ...more } });
}

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
    const here = await withTopics(["deploy", "payments", "payroll"]);
    const { text, data } = await searched(here, deny);
    const whole = text + JSON.stringify(data);
    const shown = ["deploy", "payments", "payroll"].filter((slug) => whole.includes(slug));
    expect(shown).toEqual(expected);
    expect(text.includes("not shown")).toBe(note !== undefined);
    expect(text).toContain(note ?? "");
  });

  it("fills the places of denied topics with readable ones", async () => {
    const denied = Array.from({ length: 5 }, (_, at) => `pay-${at}`);
    const here = await withTopics([...denied, "deploy"]);
    const { text } = await searched(here, ["memory.read(pay*)"], { limit: 2 });
    expect(text).toContain("deploy");
    expect(text).not.toContain("pay-");
  });
});
