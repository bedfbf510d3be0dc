import { expect, it } from "vitest";
import { NO_OPTIONS } from "../../../../apps/caliban/src/command.ts";
import { readResource } from "../../src/serve/read-resource.ts";
import { openServedProject } from "../../../../apps/caliban/src/commands/mcp/served-project.ts";
import { machine } from "../../../../apps/caliban/test/fake-host.ts";

it("no key of the person's is in what a client reads, wherever somebody wrote it down", async () => {
  const key = "correct-horse-battery-staple";
  const start = await machine({ "app/AGENTS.md": `The key is ${key}.\n` });
  const { host } = start.with({ env: { ...start.host.env, ANTHROPIC_API_KEY: key } });
  const project = await openServedProject({ ...NO_OPTIONS, host }, true);
  const text = await readResource("memory://prefix", project);
  expect(text).toContain("The key is [masked].");
  expect(text).not.toContain(key);
});
