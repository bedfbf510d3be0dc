import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openApprovals, type WorkspaceApprovals } from "../../src/node/approvals.ts";
import { approveFile } from "../../src/node/change-approvals.ts";

const FILE = ".local/state/caliban/approvals.json";

function approvalsOf(home: string, workspaceRoot: string): WorkspaceApprovals {
  return openApprovals("permission", { env: { HOME: home }, platform: "linux", workspaceRoot });
}

async function subjectsOf(approvals: WorkspaceApprovals): Promise<readonly string[]> {
  return (await approvals.list()).approvals.map(({ subject }) => subject);
}

describe("openApprovals", () => {
  it("remembers an approval in its workspace only", async () => {
    const home = await temporaryDirectory();
    await approvalsOf(home, "/one").approve("permission:memory.write");
    expect(await approvalsOf(home, "/one").isApproved("permission:memory.write")).toBe(true);
    expect(await approvalsOf(home, "/two").isApproved("permission:memory.write")).toBe(false);
    expect(await approvalsOf(home, "/one").isApproved("permission:memory.delete")).toBe(false);
    expect((await stat(join(home, FILE))).mode & 0o777).toBe(0o600);
  });

  it("approves a subject only with the fingerprint it had", async () => {
    const home = await temporaryDirectory();
    await approvalsOf(home, "/one").approve("server", "abc");
    expect(await approvalsOf(home, "/one").isApproved("server", "abc")).toBe(true);
    expect(await approvalsOf(home, "/one").isApproved("server", "def")).toBe(false);
    expect(await approvalsOf(home, "/one").isApproved("server")).toBe(false);
  });

  it("lists and removes the approvals of one workspace and kind", async () => {
    const home = await temporaryDirectory();
    const [one, two] = [approvalsOf(home, "/one"), approvalsOf(home, "/two")];
    const servers = openApprovals("mcp-server", { env: { HOME: home }, workspaceRoot: "/one" });
    await one.approve("git status");
    await one.approve("a.txt");
    await two.approve("b.txt");
    await servers.approve("a.txt");
    expect(await subjectsOf(one)).toEqual(["git status", "a.txt"]);
    expect(await one.remove(({ subject }) => subject === "b.txt")).toBe(false);
    expect(await one.remove(({ subject }) => subject === "a.txt")).toBe(true);
    expect(await one.isApproved("a.txt")).toBe(false);
    expect(await one.isApproved("git status")).toBe(true);
    expect(await subjectsOf(two)).toEqual(["b.txt"]);
    expect(await servers.isApproved("a.txt")).toBe(true);
  });

  it("approves nothing with a damaged file and does not overwrite it", async () => {
    const home = await temporaryDirectory();
    await mkdir(join(home, FILE, ".."), { recursive: true });
    await writeFile(join(home, FILE), "damaged");
    const approvals = approvalsOf(home, "/one");
    expect(await approvals.isApproved("x")).toBe(false);
    expect(await approvals.list()).toEqual({ approvals: [], isValid: false });
    await expect(approvals.approve("x")).rejects.toMatchObject({ code: "APPROVALS_DAMAGED" });
    await expect(approvals.remove(() => true)).rejects.toMatchObject({ code: "APPROVALS_DAMAGED" });
    expect(await readFile(join(home, FILE), "utf8")).toBe("damaged");
  });

  it("stores nothing when no home directory is known", async () => {
    const approvals = openApprovals("permission", { env: {}, workspaceRoot: "/one" });
    expect(approvals.isPersistent).toBe(false);
    await approvals.approve("x");
    expect(await approvals.isApproved("x")).toBe(false);
    expect(await approvals.remove(() => true)).toBe(false);
  });
});

describe("approveFile", () => {
  it("approves the current content of a file", async () => {
    const home = await temporaryDirectory();
    await writeFile(join(home, "a.md"), "a\n");
    const input = { env: { HOME: home }, workspaceRoot: "/one", path: join(home, "a.md") };
    const { subject, sha256 } = await approveFile(input);
    expect(await openApprovals("import", input).isApproved(subject, sha256)).toBe(true);
  });

  it.for([
    ["gone.md", "no such file"],
    [".env", "never go into a prompt"],
    [".", "cannot read"],
  ] as const)("rejects %s with a message that contains %j", async ([name, message]) => {
    const home = await temporaryDirectory();
    await writeFile(join(home, ".env"), "TOKEN=x\n");
    const input = { env: { HOME: home }, workspaceRoot: "/one", path: join(home, name) };
    await expect(approveFile(input)).rejects.toMatchObject({
      code: "NOT_APPROVABLE",
      message: expect.stringContaining(message),
    });
  });
});
