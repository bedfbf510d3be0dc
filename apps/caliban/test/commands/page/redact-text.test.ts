import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { redactText } from "../../../src/commands/page/redact-text.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";

it("removes the home directory under both of its names, and the names of project homes", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, "disk/alice"), { recursive: true });
  await symlink(join(root, "disk"), join(root, "home"));
  const home = join(root, "home/alice");
  const redact = redactText({ home });
  const projects = ".local/share/caliban/projects";
  const text = [
    `${home}/app`,
    `${root}/disk/alice/app`,
    `~/${projects}/home-alice-app/memory/MEMORY.md`,
    String.raw`D:\caliban\projects\C-Users-alice-app\memory`,
  ].join("\n");
  expect(await redact(text)).toBe(
    [
      "~/app",
      "~/app",
      `~/${projects}/…/memory/MEMORY.md`,
      String.raw`D:\caliban\projects\…\memory`,
    ].join("\n"),
  );
});
