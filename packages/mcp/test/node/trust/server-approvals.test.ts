import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { openApprovals } from "@caliban/memory/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import {
  createServerApprovals,
  type ServerApprovals,
} from "../../../src/node/trust/server-approvals.ts";

const FILE = ".local/state/caliban/approvals.json";
const PROGRAM = join(import.meta.dirname, "approve-many.process.ts");

interface Location {
  readonly env: { readonly HOME: string };
  readonly platform: string;
  readonly home: string;
  readonly workspaceRoot: string;
}

function locationOf(home: string, workspaceRoot: string): Location {
  return { env: { HOME: home }, platform: "linux", home, workspaceRoot };
}

function approvalsOf(home: string, workspaceRoot = "/one"): ServerApprovals {
  return createServerApprovals(locationOf(home, workspaceRoot));
}

async function withFile(text: string): Promise<string> {
  const home = await temporaryDirectory();
  await mkdir(dirname(join(home, FILE)), { recursive: true });
  await writeFile(join(home, FILE), text);
  return home;
}

describe("the approvals of servers", () => {
  it("approves no hook with the approval of a server, and no server with that of a hook", async () => {
    const location = locationOf(await temporaryDirectory(), "/one");
    const [servers, hooks] = [
      createServerApprovals(location),
      createServerApprovals(location, "hook"),
    ];
    await servers.approve("a", "f1");
    await hooks.approve("b", "f1");
    expect([await hooks.isApproved("a", "f1"), await servers.isApproved("b", "f1")]).toEqual([
      false,
      false,
    ]);
    expect((await hooks.list()).names).toEqual(["b"]);
    expect(await hooks.forget("a")).toBe(false);
  });

  it("approves one name and fingerprint in one workspace, across sessions", async () => {
    const home = await temporaryDirectory();
    await approvalsOf(home).approve("github", "f1");
    expect(await approvalsOf(home).isApproved("github", "f1")).toBe(true);
    expect(await approvalsOf(home).isApproved("github", "f2")).toBe(false);
    expect(await approvalsOf(home).isApproved("gitlab", "f1")).toBe(false);
    expect(await approvalsOf(home, "/two").isApproved("github", "f1")).toBe(false);
    expect((await stat(join(home, FILE))).mode & 0o777).toBe(0o600);
  });

  it("withdraws every fingerprint of a name, and nothing else", async () => {
    const home = await temporaryDirectory();
    const permissions = openApprovals("permission", locationOf(home, "/one"));
    await permissions.approve("github");
    await approvalsOf(home).approve("github", "f1");
    await approvalsOf(home).approve("github", "f2");
    await approvalsOf(home).approve("docs", "f1");
    await approvalsOf(home, "/two").approve("github", "f1");
    expect(await approvalsOf(home).forget("github")).toBe(true);
    expect(await approvalsOf(home).forget("github")).toBe(false);
    expect(await approvalsOf(home).list()).toEqual({ names: ["docs"], isValid: true });
    expect(await approvalsOf(home, "/two").isApproved("github", "f1")).toBe(true);
    expect((await permissions.list()).approvals.map(({ subject }) => subject)).toEqual(["github"]);
  });

  it("adds an approval to a file of an older version", async () => {
    const old = { workspace: "/one", kind: "import", subject: "/x.md", sha256: "abc" };
    const home = await withFile(JSON.stringify({ version: 1, approvals: [old] }));
    await approvalsOf(home).approve("github", "f1");
    const { approvals } = JSON.parse(await readFile(join(home, FILE), "utf8")) as {
      approvals: readonly object[];
    };
    expect(approvals[0]).toEqual(old);
    expect(approvals[1]).toMatchObject({ kind: "mcp-server", subject: "github" });
  });

  it("approves nothing from a damaged file, and does not overwrite it", async () => {
    const home = await withFile("damaged");
    const approvals = approvalsOf(home);
    expect(await approvals.isApproved("github", "f1")).toBe(false);
    expect(await approvals.list()).toEqual({ names: [], isValid: false });
    for (const change of [
      () => approvals.approve("github", "f1"),
      () => approvals.forget("github"),
    ])
      await expect(change()).rejects.toMatchObject({ code: "APPROVALS_DAMAGED" });
    expect(await readFile(join(home, FILE), "utf8")).toBe("damaged");
  });

  it("refuses to approve a server without a home directory to save it in", async () => {
    const nowhere = { env: {}, platform: "linux", home: undefined, workspaceRoot: "/one" };
    const approvals = createServerApprovals(nowhere);
    await expect(approvals.approve("github", "f1")).rejects.toMatchObject({
      code: "NOT_APPROVABLE",
    });
    expect(await approvals.isApproved("github", "f1")).toBe(false);
    expect(await approvals.forget("github")).toBe(false);
  });

  it("loses no approval when several processes approve at once", { timeout: 30_000 }, async () => {
    const home = await temporaryDirectory();
    const children = ["a", "b", "c"].map((prefix) => {
      const given = ["--conditions=caliban:source", PROGRAM, home, "/one", prefix, "8"];
      const child = spawn(process.execPath, given, { stdio: ["pipe", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    });
    await Promise.all(children.map(async ({ stdout }) => await once(stdout, "data")));
    const ends = children.map(async (child) => await once(child, "exit"));
    for (const { stdin } of children) stdin.write("go");
    const codes = await Promise.all(ends);
    expect(codes.map(([code]: readonly unknown[]) => code)).toEqual([0, 0, 0]);
    expect((await approvalsOf(home).list()).names).toHaveLength(24);
  });
});
