import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { createStoredApprovals, type StoredApprovals } from "../../src/node/stored-approvals.ts";

async function approvalsIn(...below: readonly string[]): Promise<readonly StoredApprovals[]> {
  const home = await temporaryDirectory();
  const root = join(home, "app");
  return below.map((name) =>
    createStoredApprovals({
      env: {},
      home,
      platform: "linux",
      workspace: { root, startDirectory: join(root, name) },
    }),
  );
}

describe("createStoredApprovals", () => {
  it('lists and revokes "always" answers', async () => {
    const [approvals] = (await approvalsIn("")) as [StoredApprovals];
    await approvals.approve("permission:fs.write(a.txt)");
    expect(await approvals.list()).toEqual(["permission:fs.write(a.txt)"]);
    expect(await approvals.forget("permission:fs.write(b.txt)")).toBe(false);
    expect(await approvals.forget("permission:fs.write(a.txt)")).toBe(true);
    expect(await approvals.isApproved("permission:fs.write(a.txt)")).toBe(false);
    expect(await approvals.list()).toEqual([]);
  });

  it("asks again for a command that was approved in another directory", async () => {
    const [above, here] = (await approvalsIn("", "sub")) as [StoredApprovals, StoredApprovals];
    await above.approve("permission:shell.run(sh ./t.sh)");
    await above.approve("permission:fs.write(a.txt)");
    expect(await here.isApproved("permission:shell.run(sh ./t.sh)")).toBe(false);
    expect(await here.isApproved("permission:fs.write(a.txt)")).toBe(true);
    await here.approve("permission:shell.run(sh ./u.sh)");
    expect(await here.isApproved("permission:shell.run(sh ./u.sh)")).toBe(true);
    expect(await above.isApproved("permission:shell.run(sh ./u.sh)")).toBe(false);
    expect(await above.list()).toContain("permission:shell.run(sh ./u.sh) in sub");
  });
});
