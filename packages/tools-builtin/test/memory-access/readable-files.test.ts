import { expect, it } from "vitest";
import { policyWith } from "../support/rules.ts";
import { workspaceTools, type WorkspaceTools } from "../support/workspace-tools.ts";

const FILES = { "app/.env": "KEY=secret\n", "app/a.ts": "KEY\n", "app/sub/.env": "KEY=deep\n" };

const denying = async (...deny: readonly string[]): Promise<WorkspaceTools> =>
  await workspaceTools(FILES, () => ({ policy: policyWith({ deny }) }));

it.for(["fs.read(*.env)", "Read(*.env)", "fs.*(*.env)", "*(*.env)"])(
  "hides files from searches when %s denies reading them",
  async (rule) => {
    const { call } = await denying(rule);
    const grep = await call("Grep", { pattern: "KEY" });
    expect(grep.text).toBe(
      "a.ts\n1: KEY\n\n[2 files were skipped, because a rule denies reading them]",
    );
    expect((await call("Glob", { pattern: "**/.env" })).text).toContain("[2 files were skipped");
    expect((await call("Grep", { pattern: "KEY", path: ".env" })).text).not.toContain("secret");
  },
);

it("applies a rule that names a search tool to that tool", async () => {
  const { call } = await denying("Grep(*.env)");
  expect((await call("Grep", { pattern: "KEY" })).text).toContain("[2 files were skipped");
  expect((await call("Glob", { pattern: "**/.env" })).text).toContain("sub/.env");
});

it("hides nothing for rules about something else, or about a whole tool", async () => {
  const { call } = await denying("Read", "shell.run(*.env)", "fs.write(*.env)");
  expect((await call("Grep", { pattern: "KEY" })).text).toContain("KEY=secret");
});
