import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { createStoredApprovals, type StoredApprovals } from "../../src/node/stored-approvals.ts";

const TOKEN = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");

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

  it("stores no command that contains a secret, and keeps those that an earlier version stored", async () => {
    const home = await temporaryDirectory();
    const root = join(home, "app");
    const workspace = { root, startDirectory: root };
    const approvals = createStoredApprovals({ env: {}, home, platform: "linux", workspace });
    const file = join(home, ".local/state/caliban/approvals.json");
    const withToken = `permission:shell.run(curl -H "Authorization: Bearer ${TOKEN}" x.test)`;
    await approvals.approve("permission:shell.run(pnpm test)");
    await expect(approvals.approve(withToken)).rejects.toMatchObject({
      code: "SECRET_FOUND",
      message: expect.not.stringContaining(TOKEN),
    });
    expect(await readFile(file, "utf8")).not.toContain(TOKEN);
    const old = { workspace: root, kind: "permission", subject: withToken };
    const sha256 = createHash("sha256").update(withToken).digest("hex");
    await writeFile(file, JSON.stringify({ version: 1, approvals: [{ ...old, sha256 }] }));
    expect(await approvals.isApproved(withToken)).toBe(true);
    expect(await approvals.forget(withToken)).toBe(true);
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
