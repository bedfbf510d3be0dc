import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { findWayOut } from "../../src/node/way-out.ts";

it.for([
  ["plain", undefined],
  ["missing/below", undefined],
  ["inner", undefined],
  ["inner-directory/new", undefined],
  ["file", "outside/file"],
  ["directory/new", "outside/new"],
  ["directory/new/below", "outside/new/below"],
  ["dangling", "outside/later"],
  ["dangling/below", "outside/later/below"],
  ["../outside/file", undefined],
  ["../link-outside/file", undefined],
] as const)("findWayOut follows the links of %s", async ([path, target]) => {
  const home = await temporaryDirectory();
  const [root, outside] = [join(home, "root"), join(home, "outside")];
  await mkdir(join(root, "sub"), { recursive: true });
  await mkdir(outside);
  await writeFile(join(root, "plain"), "");
  await writeFile(join(outside, "file"), "");
  await symlink("plain", join(root, "inner"));
  await symlink("sub", join(root, "inner-directory"));
  await symlink("../outside/file", join(root, "file"));
  await symlink(outside, join(root, "directory"));
  await symlink("../outside/later", join(root, "dangling"));
  await symlink(outside, join(home, "link-outside"));
  await symlink(root, join(home, "link-root"));
  const expected = target === undefined ? undefined : join(home, target);
  expect(findWayOut(root, join(root, path))).toBe(expected);
  expect(findWayOut(join(home, "link-root"), join(root, path))).toBe(expected);
});
