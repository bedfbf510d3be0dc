import { expect, it } from "vitest";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openServedProject } from "../../../src/commands/mcp/served-project.ts";
import { machine } from "../../fake-host.ts";

it("masks the user's keys in what clients read, wherever they were written down", async () => {
  const key = "correct-horse-battery-staple";
  const start = await machine({ "app/AGENTS.md": `The key is ${key}.\n` });
  const { host } = start.with({ env: { ...start.host.env, ANTHROPIC_API_KEY: key } });
  const { memory } = await openServedProject({
    invocation: { ...NO_OPTIONS, host },
    isReadOnly: true,
    report: () => undefined,
  });
  const prefix = await memory.resolve("memory://prefix");
  const text = "text" in prefix ? memory.mask?.(prefix.text) : prefix.problem;
  expect(text).toContain("The key is [masked].");
  expect(text).not.toContain(key);
});
