import { join } from "node:path";
import type { ProposalRequest } from "@caliban/memory";
import { type Inbox, openInbox } from "@caliban/memory/node";
import { describe, expect, it } from "vitest";
import { run } from "../../../../src/run.ts";
import { type Machine, machine } from "../../../fake-host.ts";

function inboxOf({ home, slug }: Machine, scope: "project" | "user" = "project"): Inbox {
  const data = join(home, ".local/share/caliban");
  const directory = scope === "user" ? "user/inbox" : join("projects", slug, "inbox");
  return openInbox(join(data, directory));
}

function proposal(
  name: string,
  changes: Partial<Extract<ProposalRequest, { readonly action: "write" | "edit" }>> = {},
): ProposalRequest {
  return {
    action: "write",
    topic: { name, description: `About ${name}`, type: "project", body: `Text of ${name}.` },
    scope: "project",
    origin: "web",
    reason: "SECURITY",
    ...changes,
  };
}

describe("caliban memory inbox", () => {
  it("lists proposals, and says so when there are none", async () => {
    const here = await machine();
    expect((await here.caliban("memory", "inbox")).stderr).toContain("the inbox is empty");
    const { id } = await inboxOf(here).propose(proposal("deploy"));
    const { stdout } = await here.caliban("memory", "inbox");
    expect(stdout).toContain(id);
    expect(stdout).toContain("1 proposal waits. Review with: caliban memory inbox review");
    const json = JSON.parse((await here.caliban("memory", "inbox", "--json")).stdout) as object;
    expect(json).toMatchObject({ proposals: [{ id, reason: "SECURITY", origin: "web" }] });
  });

  it("accepts a proposal by the start of its id, and records its origin", async () => {
    const here = await machine();
    const { id } = await inboxOf(here).propose(proposal("deploy"));
    const { stdout } = await here.caliban("memory", "inbox", "accept", id.slice(0, 6));
    expect(stdout).toMatch(/^saved deploy\. Undo with: caliban memory undo \w+\n$/);
    expect((await here.caliban("memory", "show", "deploy")).stdout).toContain("Text of deploy.");
    expect((await here.caliban("memory", "log")).stdout).toMatch(/you .*write .*origin: web/);
    const again = await here.caliban("memory", "inbox", "accept", id);
    expect(again).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("no proposal") });
  });

  it("shows both texts when a topic changed since, and replaces it only with --force", async () => {
    const here = await machine();
    const inbox = inboxOf(here);
    await here.caliban("memory", "inbox");
    const first = await inbox.propose(proposal("deploy"));
    await here.caliban("memory", "inbox", "accept", first.id);
    const other = { ...proposal("deploy"), action: "edit" as const };
    const topic = { name: "deploy", description: "New", type: "project", body: "New." } as const;
    const { id } = await inbox.propose({ ...other, topic: { ...topic, ifMatch: "outdated" } });
    const conflict = await here.caliban("memory", "inbox", "accept", id);
    expect(conflict.stdout).toMatch(/Now:[^]*Text of deploy\.[^]*Proposed:[^]*New\./);
    expect(conflict.stderr).toContain("deploy changed since this was proposed");
    expect(conflict.exitCode).not.toBe(0);
    expect((await here.caliban("memory", "show", "deploy")).stdout).toContain("Text of deploy.");
    await here.caliban("memory", "inbox", "accept", id, "--force");
    expect((await here.caliban("memory", "show", "deploy")).stdout).toContain("New.");
  });

  it("rejects all proposals about the user with --user", async () => {
    const here = await machine();
    await inboxOf(here).propose(proposal("deploy"));
    await inboxOf(here, "user").propose({ ...proposal("tabs"), scope: "user" });
    const { stdout } = await here.caliban("memory", "inbox", "reject", "--all", "--user");
    expect(stdout).toContain("(tabs)");
    expect(inboxOf(here, "user").count()).toBe(0);
    expect(inboxOf(here).count()).toBe(1);
  });

  it("prints the command for a rule that the agent suggests, and sets no rule", async () => {
    const here = await machine();
    const enforce = { level: "deny", rules: ["Bash(npm *)"] } as const;
    const { id } = await inboxOf(here).propose(proposal("use-pnpm", { enforce }));
    const { stdout } = await here.caliban("memory", "inbox", "accept", id);
    expect(stdout).toContain(`caliban memory enforce use-pnpm --deny 'Bash(npm *)'`);
    expect((await here.caliban("memory", "enforce", "--json")).stdout).not.toContain("npm");
  });

  it("shows control characters of a proposal as text", async () => {
    const here = await machine();
    const body = "\u001B[2Jgone";
    const topic = { name: "x", description: "d", type: "project", body } as const;
    const { id } = await inboxOf(here).propose(proposal("x", { topic }));
    expect((await here.caliban("memory", "inbox", "show", id)).stdout).not.toContain("\u001B");
  });

  it("asks about one proposal after another in a review", async () => {
    const here = await machine();
    const inbox = inboxOf(here);
    for (const name of ["one", "two", "three"]) await inbox.propose(proposal(name));
    const answers = ["accept", "reject", "skip"];
    const code = await run({
      ...here.host,
      argv: ["memory", "inbox", "review"],
      isInteractive: () => true,
      choose: async () => answers.shift(),
    });
    expect(code).toBe(0);
    expect(inbox.count()).toBe(1);
    expect((await here.caliban("memory", "list")).stdout).toMatch(/\b(?:one|two|three)\b/);
  });

  it("requires a terminal for a review, and an id to accept", async () => {
    const here = await machine();
    const review = await here.caliban("memory", "inbox", "review");
    expect(review.stderr).toContain("review requires a terminal");
    const accept = await here.caliban("memory", "inbox", "accept");
    expect(accept.stderr).toContain("name a proposal");
    const unknown = await here.caliban("memory", "inbox", "approve");
    expect(unknown.stderr).toContain("use one of list, show, accept, reject, review");
  });
});
