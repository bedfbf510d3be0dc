import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import {
  createPermissionApprovals,
  type KeptPermissions,
} from "../../src/node/permission-approvals.ts";

const FILE = ".local/state/caliban/approvals.json";

function approvalsOf(home: string, workspaceRoot: string): KeptPermissions {
  return createPermissionApprovals({ env: { HOME: home }, platform: "linux", home, workspaceRoot });
}

describe("an answer of always", () => {
  it("holds for its call in its workspace, in another session, too", async () => {
    const home = await temporaryDirectory();
    await approvalsOf(home, "/one").approve("permission:memory.write");
    expect(await approvalsOf(home, "/one").isApproved("permission:memory.write")).toBe(true);
    expect(await approvalsOf(home, "/two").isApproved("permission:memory.write")).toBe(false);
    expect(await approvalsOf(home, "/one").isApproved("permission:memory.delete")).toBe(false);
    expect((await stat(join(home, FILE))).mode & 0o777).toBe(0o600);
  });

  it("can be looked at and taken back, in its workspace only", async () => {
    const home = await temporaryDirectory();
    const [one, two] = [approvalsOf(home, "/one"), approvalsOf(home, "/two")];
    await one.approve("permission:shell.run(git status)");
    await one.approve("permission:fs.write(a.txt)");
    await two.approve("permission:fs.write(b.txt)");
    expect(await one.list()).toEqual([
      "permission:shell.run(git status)",
      "permission:fs.write(a.txt)",
    ]);
    expect(await one.forget("permission:fs.write(b.txt)")).toBe(false);
    expect(await one.forget("permission:fs.write(a.txt)")).toBe(true);
    expect(await one.forget("permission:fs.write(a.txt)")).toBe(false);
    expect(await one.isApproved("permission:fs.write(a.txt)")).toBe(false);
    expect(await one.isApproved("permission:shell.run(git status)")).toBe(true);
    expect(await two.list()).toEqual(["permission:fs.write(b.txt)"]);
  });

  it("holds no more when the file is damaged, and does not write over it", async () => {
    const home = await temporaryDirectory();
    await mkdir(join(home, FILE, ".."), { recursive: true });
    await writeFile(join(home, FILE), "damaged");
    const approvals = approvalsOf(home, "/one");
    expect(await approvals.isApproved("permission:memory.write")).toBe(false);
    await expect(approvals.approve("permission:memory.write")).rejects.toMatchObject({
      code: "APPROVALS_DAMAGED",
    });
    expect(await readFile(join(home, FILE), "utf8")).toBe("damaged");
  });
});
