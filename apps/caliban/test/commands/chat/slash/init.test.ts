import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { draftInstructions } from "../../../../src/commands/chat/slash/init.ts";

it("drafts instructions without following links", async () => {
  const outside = await temporaryDirectory();
  const root = await temporaryDirectory();
  await writeFiles(outside, { netrc: "# machine\n\npassword hunter2secret\n" });
  await writeFiles(root, { "package.json": '{"name":"app","scripts":{"test":"vitest"}}' });
  await symlink(join(outside, "netrc"), join(root, "README.md"));
  await symlink("/dev/zero", join(root, "Makefile"));
  const draft = draftInstructions(root);
  expect(draft).toMatch(/^# app\n[^]*\n- `npm run test`: runs `vitest`\n/);
  expect(draft).not.toContain("hunter2secret");
});
