import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { inspectProject } from "../../../../src/commands/chat/slash/init.ts";

it("inspects a project without following links", async () => {
  const outside = await temporaryDirectory();
  const root = await temporaryDirectory();
  await writeFiles(outside, { netrc: "# machine\n\npassword hunter2secret\n" });
  await writeFiles(root, { "package.json": '{"name":"app","scripts":{"test":"vitest"}}' });
  await symlink(join(outside, "netrc"), join(root, "README.md"));
  await symlink("/dev/zero", join(root, "Makefile"));
  const facts = await inspectProject(root);
  expect(facts).toMatchObject({ name: "app", commands: [{ command: "npm run test" }] });
  expect(JSON.stringify(facts)).not.toContain("hunter2secret");
});
