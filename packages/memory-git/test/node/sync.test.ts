import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEAM_LIMITS } from "../../src/index.ts";
import { repackIfNeeded } from "../../src/node/git/repack.ts";
import { createForge } from "../support/crafted-trees.ts";
import {
  bareRemote,
  gitIn,
  joinTeam,
  SECRET,
  syncAll,
  synced,
  textsOf,
  topicText,
} from "../support/team.ts";

describe("sharing topics", () => {
  it("brings a shared topic to another clone, where it waits for the user", async () => {
    const remote = await bareRemote();
    const [ann, ben] = [await joinTeam(remote, "ann"), await joinTeam(remote, "ben")];
    const text = topicText("deploy", "Migrations first.");
    await ann.team.share({ slug: "deploy", text });
    expect(await ann.team.topics()).toMatchObject([{ slug: "deploy", text, isPending: true }]);
    expect(await synced(ann.team)).toMatchObject({ sent: [{ slug: "deploy", action: "share" }] });
    expect(await ann.team.topics()).toMatchObject([{ slug: "deploy", isPending: false }]);

    const { received, waiting } = await synced(ben.team);
    expect(received).toEqual([]);
    expect(waiting).toMatchObject([{ slug: "deploy", action: "share", text, before: undefined }]);
    expect(waiting[0]?.authors).toMatchObject([{ name: "ann", isApproved: false }]);
    expect(await ben.team.topics()).toEqual([]);
    await ben.team.accept(waiting[0]?.version ?? "");
    expect(await textsOf(ben.team)).toEqual({ deploy: text });
    expect((await synced(ben.team)).waiting).toEqual([]);
  });

  it("merges changes of different paragraphs, and sends the result", async () => {
    const { ann, ben } = await twoWith("deploy", "One.\n\nTwo.");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One!\n\nTwo.") });
    await ben.team.share({ slug: "deploy", text: topicText("deploy", "One.\n\nTwo!") });
    await syncAll(ann.team);
    await syncAll(ben.team);
    await syncAll(ann.team);
    await syncAll(ben.team);
    const text = topicText("deploy", "One!\n\nTwo!");
    expect(await textsOf(ann.team)).toEqual({ deploy: text });
    expect(await textsOf(ben.team)).toEqual({ deploy: text });
  });

  it("keeps the shared text in a conflict, and the user's text until it is settled", async () => {
    const { ann, ben } = await twoWith("deploy", "One.");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "Ann.") });
    await ben.team.share({ slug: "deploy", text: topicText("deploy", "Ben.") });
    await synced(ann.team);
    const { conflicts, sent } = await syncAll(ben.team);
    expect(sent).toEqual([]);
    expect(conflicts).toMatchObject([
      {
        slug: "deploy",
        base: topicText("deploy", "One."),
        mine: topicText("deploy", "Ben."),
        theirs: topicText("deploy", "Ann."),
      },
    ]);
    expect(await textsOf(ben.team)).toEqual({ deploy: topicText("deploy", "Ann.") });
    expect((await ben.team.status())?.conflicts).toHaveLength(1);
    await ben.team.settle(conflicts[0]?.id ?? "");
    expect((await ben.team.status())?.conflicts).toEqual([]);
  });

  it("removes a topic for everyone, with a tombstone", async () => {
    const { ann, ben, remote } = await twoWith("deploy", "One.");
    await ann.team.unshare("deploy");
    expect(await ann.team.topics()).toEqual([]);
    expect((await synced(ann.team)).sent).toEqual([{ slug: "deploy", action: "unshare" }]);
    const { waiting } = await syncAll(ben.team);
    expect(waiting).toMatchObject([{ slug: "deploy", action: "unshare", text: undefined }]);
    expect(await ben.team.topics()).toEqual([]);
    expect(gitIn(remote, ["ls-tree", "-r", "--name-only", "refs/caliban/memory"])).toBe(
      "format\nremoved/deploy.md",
    );
  });

  it("reports the removal of a topic that the user changed as a conflict", async () => {
    const { ann, ben } = await twoWith("deploy", "One.");
    await ann.team.unshare("deploy");
    await ben.team.share({ slug: "deploy", text: topicText("deploy", "Two.") });
    await synced(ann.team);
    const { conflicts } = await syncAll(ben.team);
    expect(conflicts).toMatchObject([{ mine: topicText("deploy", "Two."), theirs: undefined }]);
  });

  it("keeps every change in the history, also several of one topic between two syncs", async () => {
    const { ann, ben } = await twoWith("deploy", "One.");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "Two.") });
    await ann.team.share({ slug: "other", text: topicText("other", "Else.") });
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "Three.") });
    await ann.team.unshare("other");
    await synced(ann.team);
    await synced(ben.team);
    const log = await ben.team.log();
    expect(log.map(({ author, changes }) => ({ name: author.name, changes }))).toEqual([
      {
        name: "ann",
        changes: [
          { slug: "deploy", action: "edit" },
          { slug: "other", action: "unshare" },
        ],
      },
      {
        name: "ann",
        changes: [
          { slug: "deploy", action: "edit" },
          { slug: "other", action: "share" },
        ],
      },
      { name: "ann", changes: [{ slug: "deploy", action: "share" }] },
    ]);
    expect(await ben.team.log({ slug: "other" })).toHaveLength(2);
  });

  it("never has the session of this machine in a shared text", async () => {
    const { ann } = await twoWith("deploy", "One.");
    const text = topicText("a", "One.").replace(
      "  type:",
      "  session: 20261119-101010-abcd\n  type:",
    );
    await ann.team.share({ slug: "a", text });
    expect((await textsOf(ann.team))["a"]).toBe(topicText("a", "One."));
  });
});

describe("a topic that others changed", () => {
  it("uses a shared text when the user shares the same one, although its author is not approved", async () => {
    const { ann, ben } = await twoWith("deploy", "One.");
    const text = topicText("deploy", "Two.");
    await ann.team.share({ slug: "deploy", text });
    await ben.team.share({ slug: "deploy", text });
    await synced(ann.team);
    expect((await synced(ben.team)).waiting).toEqual([]);
    expect(await textsOf(ben.team)).toEqual({ deploy: text });
  });

  it("replaces a shared text that cannot be used by the text of the user", async () => {
    const { remote, ben } = await twoWith("deploy", "One.");
    const head = gitIn(remote, ["rev-parse", "refs/caliban/memory"]);
    const { tree, commit } = createForge(remote, head);
    const deploy = { name: "deploy.md", text: topicText("deploy", SECRET) };
    const format = { name: "format", text: "1\n" };
    const leaked = commit(tree([format, { mode: "40000", name: "topics", oid: tree([deploy]) }]));
    gitIn(remote, ["update-ref", "refs/caliban/memory", leaked]);
    expect((await synced(ben.team)).refused).toMatchObject([{ path: "topics/deploy.md" }]);
    expect(await textsOf(ben.team)).toEqual({ deploy: topicText("deploy", "One.") });
    const text = topicText("deploy", "The token is in the vault.");
    await ben.team.share({ slug: "deploy", text });
    const { sent, conflicts, refused } = await synced(ben.team);
    expect({ sent, conflicts, refused }).toEqual({
      sent: [{ slug: "deploy", action: "edit" }],
      conflicts: [],
      refused: [],
    });
    expect(await textsOf(ben.team)).toEqual({ deploy: text });
  });
});

describe("a remote that cannot be used", () => {
  it("keeps changes while it cannot be reached, and sends them later", async () => {
    const remote = await bareRemote();
    const ann = await joinTeam(remote, "ann");
    const away = await joinTeam("http://127.0.0.1:9/x.git", "ben");
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    await away.team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    expect(await away.team.sync()).toMatchObject({ kind: "offline" });
    expect(await away.team.status()).toMatchObject({ pending: [{ slug: "deploy" }] });
    expect((await synced(ann.team)).sent).toHaveLength(1);
  });

  it("reports a repository that does not exist", async () => {
    const ann = await joinTeam("/nowhere/at/all.git", "ann");
    expect(await ann.team.sync()).toMatchObject({ kind: "denied" });
  });

  it("takes nothing over from a rewritten history before the user accepts it", async () => {
    const { ann, ben, remote } = await twoWith("deploy", "One.");
    const first = gitIn(remote, ["rev-parse", "refs/caliban/memory"]);
    await ann.team.share({ slug: "deploy", text: topicText("deploy", "Two.") });
    await synced(ann.team);
    await syncAll(ben.team);
    gitIn(remote, ["update-ref", "refs/caliban/memory", first]);
    const result = await ben.team.sync();
    expect(result).toMatchObject({ kind: "rewritten", after: first });
    expect(await textsOf(ben.team)).toEqual({ deploy: topicText("deploy", "Two.") });
    await ben.team.acceptRewrite(first);
    const { waiting } = await synced(ben.team);
    expect(waiting).toMatchObject([{ slug: "deploy", text: topicText("deploy", "One.") }]);
    expect(waiting[0]?.authors).toEqual([{ name: "unknown", email: "", isApproved: false }]);
    gitIn(remote, ["update-ref", "-d", "refs/caliban/memory"]);
    expect(await ann.team.sync()).toMatchObject({ kind: "rewritten", after: undefined });
  });
});

describe("the repository of a clone", () => {
  it("becomes one pack again, and keeps what it needs", async () => {
    const { ann, ben } = await twoWith("deploy", "One.");
    for (const body of ["Two.", "Three."]) {
      await ann.team.share({ slug: "deploy", text: topicText("deploy", body) });
      await synced(ann.team);
      await syncAll(ben.team);
    }
    const repository = join(ben.directory, "repository.git");
    const packs = (): number =>
      readdirSync(join(repository, "objects/pack")).filter((name) => name.endsWith(".pack")).length;
    expect(packs()).toBe(3);
    const head = (await ben.team.status())?.head ?? "";
    const { directory, env, signers } = ben;
    const settings = { program: "git", isInteractive: false, allowedSignersFile: signers };
    const git = { ...settings, repository, directory, env };
    await repackIfNeeded({ git, remote: "", limits: TEAM_LIMITS }, head, 1);
    expect(packs()).toBe(1);
    await ben.team.share({ slug: "deploy", text: topicText("deploy", "Four.") });
    expect((await synced(ben.team)).sent).toHaveLength(1);
    expect(await ben.team.log()).toHaveLength(4);
  });

  it("keeps files that only the user can read", async () => {
    const { ben } = await twoWith("deploy", "One.");
    const modes = readdirSync(ben.directory, { recursive: true, withFileTypes: true }).map(
      (entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o077,
    );
    expect(new Set(modes)).toEqual(new Set([0]));
  });
});

describe("joining and leaving", () => {
  it("refuses another remote until the first one is left", async () => {
    const remote = await bareRemote();
    const { team } = await joinTeam(remote, "ann");
    await team.init(remote);
    await expect(team.init("https://example.com/other.git")).rejects.toThrow(/leave it first/);
    await team.share({ slug: "deploy", text: topicText("deploy", "One.") });
    await expect(team.leave()).rejects.toThrow(/not sent/);
    await team.leave({ force: true });
    expect(await team.status()).toBeUndefined();
    expect(await team.topics()).toEqual([]);
    await expect(team.sync()).rejects.toMatchObject({ code: "NOT_JOINED" });
  });

  it("refuses to share a secret or a topic without a type", async () => {
    const { team } = await joinTeam(await bareRemote(), "ann");
    const share = team.share({ slug: "token", text: topicText("token", `It is ${SECRET}.`) });
    await expect(share).rejects.toMatchObject({ code: "SECRET_FOUND" });
    const bare = team.share({ slug: "bare", text: "Text.\n" });
    await expect(bare).rejects.toMatchObject({ code: "INVALID_TOPIC" });
    await expect(team.unshare("deploy")).rejects.toMatchObject({ code: "UNKNOWN_TOPIC" });
  });
});

/** Two clones that have one topic. */
async function twoWith(slug: string, body: string) {
  const remote = await bareRemote();
  const [ann, ben] = [await joinTeam(remote, "ann"), await joinTeam(remote, "ben")];
  await ann.team.share({ slug, text: topicText(slug, body) });
  await synced(ann.team);
  await syncAll(ben.team);
  return { remote, ann, ben };
}
