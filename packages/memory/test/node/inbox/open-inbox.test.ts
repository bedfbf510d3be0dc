import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Inbox, openInbox } from "../../../src/node/inbox/open-inbox.ts";
import { MAX_PROPOSALS } from "../../../src/node/inbox/inbox-files.ts";
import { createMapTopicStore } from "../../../src/store/map-topic-store.ts";
import { proposalOf } from "../../inbox/proposals.ts";
import { type StoreHome, storeHome } from "../topics/store-home.ts";
import { topic } from "../topics/topic-input.ts";

interface InboxHome extends StoreHome {
  readonly inbox: Inbox;
  readonly files: () => Promise<readonly string[]>;
}

async function inboxHome(): Promise<InboxHome> {
  const home = await storeHome();
  const directory = join(dirname(home.directory), "inbox");
  const inbox = openInbox(directory, { findSecrets: async () => [], now: () => 0 });
  return { ...home, inbox, files: async () => (await readdir(directory)).toSorted() };
}

describe("openInbox", () => {
  it("keeps each proposal in a private file until it is accepted", async () => {
    const { inbox, open, files } = await inboxHome();
    expect(inbox.count()).toBe(0);
    const { id } = await inbox.propose(proposalOf("deploy"));
    const path = join(inbox.directory, `${id}.json`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(inbox.directory)).mode & 0o777).toBe(0o700);
    expect(inbox.count()).toBe(1);
    expect((await inbox.list()).proposals).toEqual([await inbox.read(id)]);
    const store = open();
    expect(await inbox.accept(id, { store })).toMatchObject({ kind: "accepted", slug: "deploy" });
    expect((await store.read("deploy"))?.topic.body).toBe("About deploy.");
    expect(await files()).toEqual([]);
  });

  it("writes in the user's name and keeps the origin, the session and the tools", async () => {
    const { inbox, open } = await inboxHome();
    const { id } = await inbox.propose(proposalOf("deploy", { origin: "web", after: ["Fetch"] }));
    const store = open();
    await inbox.accept(id, { store });
    const [change] = await store.log();
    expect(change).toMatchObject({ who: "person", origin: "web", session: "20261118-080000-abcd" });
    expect((await store.read("deploy"))?.topic.after).toEqual(["Fetch"]);
  });

  it("merges a change that is proposed again", async () => {
    const { inbox } = await inboxHome();
    const first = await inbox.propose(proposalOf("deploy"));
    const again = await inbox.propose(proposalOf("Deploy", { topic: { ...topicOf("deploy") } }));
    expect(again).toMatchObject({ id: first.id, times: 2 });
    await inbox.propose(proposalOf("deploy", { topic: { ...topicOf("deploy"), body: "Other." } }));
    expect(inbox.count()).toBe(2);
  });

  it("rejects a proposal, and reports one that is gone", async () => {
    const { inbox, open, files } = await inboxHome();
    const { id } = await inbox.propose(proposalOf("deploy"));
    expect(await inbox.reject(id)).toMatchObject({ id });
    expect(await files()).toEqual([]);
    expect(await inbox.reject(id)).toBeUndefined();
    expect(await inbox.accept(id, { store: open() })).toEqual({ kind: "gone" });
    expect(await inbox.accept("../memory/x", { store: open() })).toEqual({ kind: "gone" });
    expect(await inbox.edit(id, topicOf("deploy"))).toBeUndefined();
  });

  it("replaces the text of a proposal before it is accepted", async () => {
    const { inbox, open } = await inboxHome();
    const { id } = await inbox.propose(proposalOf("deploy"));
    await inbox.edit(id, { ...topicOf("deploy"), body: "Better." });
    const store = open();
    await inbox.accept(id, { store });
    expect((await store.read("deploy"))?.topic.body).toBe("Better.");
  });

  it("keeps a proposal whose topic changed since, and shows the current text", async () => {
    const { inbox, open } = await inboxHome();
    const store = open();
    const written = await store.write(topic("deploy", "Old."));
    const ifMatch = written.kind === "written" ? written.hash : "";
    const request = { action: "edit" as const, topic: { ...topicOf("deploy"), ifMatch } };
    const { id } = await inbox.propose(proposalOf("deploy", request));
    await store.write({ ...topic("deploy", "Edited by the user."), replace: true });
    const result = await inbox.accept(id, { store });
    expect(result).toMatchObject({
      kind: "conflict",
      proposal: { topic: { body: "About deploy." } },
      current: { topic: { body: "Edited by the user." } },
    });
    expect((await store.read("deploy"))?.topic.body).toBe("Edited by the user.");
    expect(inbox.count()).toBe(1);
    expect(await inbox.accept(id, { store, replace: true })).toMatchObject({ kind: "accepted" });
    expect((await store.read("deploy"))?.topic.body).toBe("About deploy.");
  });

  it("keeps a proposal of a new topic whose name was taken, or whose topic was deleted", async () => {
    const { inbox } = await inboxHome();
    const store = createMapTopicStore();
    await store.write(topic("taken", "Mine."));
    const taken = await inbox.propose(proposalOf("taken"));
    expect(await inbox.accept(taken.id, { store })).toMatchObject({ kind: "conflict" });
    const edit = { action: "edit" as const, topic: { ...topicOf("gone"), ifMatch: "1" } };
    const gone = await inbox.propose(proposalOf("gone", edit));
    expect(await inbox.accept(gone.id, { store })).toMatchObject({ current: undefined });
    expect(inbox.count()).toBe(2);
    expect((await store.read("taken"))?.topic.body).toBe("Mine.");
  });

  it("deletes a topic only as it was when the deletion was proposed", async () => {
    const { inbox } = await inboxHome();
    const store = createMapTopicStore();
    const written = await store.write(topic("old"));
    const ifMatch = written.kind === "written" ? written.hash : "";
    const { topic: _, ...source } = proposalOf("old");
    const request = { ...source, action: "delete" as const, topic: { name: "old", ifMatch } };
    const { id } = await inbox.propose(request);
    await store.write({ ...topic("old", "New."), replace: true });
    expect(await inbox.accept(id, { store })).toMatchObject({ kind: "conflict" });
    expect(await inbox.accept(id, { store, replace: true })).toMatchObject({ kind: "accepted" });
    expect(await store.read("old")).toBeUndefined();
  });

  it("returns a proposal to the inbox when the store refuses it", async () => {
    const { inbox } = await inboxHome();
    const { id } = await inbox.propose(proposalOf("deploy"));
    const store = createMapTopicStore();
    const write = (): never => {
      throw new Error("offline");
    };
    await expect(inbox.accept(id, { store: { ...store, write } })).rejects.toThrow("offline");
    expect(await inbox.read(id)).toMatchObject({ id });
  });

  it("refuses a secret, an invalid name, and a text that is too long", async () => {
    const { directory } = (await inboxHome()).inbox;
    const inbox = openInbox(directory);
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const withBody = (body: string): ReturnType<typeof proposalOf> =>
      proposalOf("deploy", { topic: { ...topicOf("deploy"), body } });
    await expect(inbox.propose(withBody(`token ${secret}`))).rejects.toMatchObject({
      code: "SECRET_FOUND",
    });
    const enforce = { level: "deny", rules: [`Bash(curl ${secret})`] } as const;
    await expect(inbox.propose(proposalOf("deploy", { enforce }))).rejects.toMatchObject({
      code: "SECRET_FOUND",
    });
    await expect(inbox.propose(proposalOf("../up"))).rejects.toMatchObject({
      code: "INVALID_SLUG",
    });
    await expect(inbox.propose(withBody("word ".repeat(40_000)))).rejects.toMatchObject({
      code: "INVALID_TOPIC",
    });
    expect(inbox.count()).toBe(0);
  });

  it("takes no more proposals than a user can review", async () => {
    const { inbox } = await inboxHome();
    const first = await inbox.propose(proposalOf("deploy"));
    for (let at = 1; at < MAX_PROPOSALS; at++) {
      const id = at.toString(16).padStart(8, "0");
      await writeFile(join(inbox.directory, `${id}.json`), "{}");
    }
    await expect(inbox.propose(proposalOf("other"))).rejects.toMatchObject({ code: "INBOX_FULL" });
    expect(await inbox.propose(proposalOf("deploy"))).toMatchObject({ id: first.id });
  });

  it("reports a damaged file and lists the others", async () => {
    const { inbox } = await inboxHome();
    const { id } = await inbox.propose(proposalOf("deploy"));
    await writeFile(join(inbox.directory, "00000000.json"), "damaged");
    await writeFile(join(inbox.directory, "notes.txt"), "ignored");
    const { proposals, problems } = await inbox.list();
    expect(proposals.map((proposal) => proposal.id)).toEqual([id]);
    expect(problems.map(({ path }) => path)).toEqual([join(inbox.directory, "00000000.json")]);
    expect(await inbox.reject("00000000")).toBeUndefined();
  });
});

const ACCEPTING = join(import.meta.dirname, "accept.process.ts");

async function runAccept(home: InboxHome, ...given: readonly string[]): Promise<string> {
  const args = [ACCEPTING, home.inbox.directory, home.directory, home.historyDirectory, ...given];
  const child = spawn(process.execPath, ["--conditions=caliban:source", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  expect(problems).toBe("");
  return output === "" ? String(child.signalCode) : output;
}

describe("processes that accept proposals", () => {
  it(
    "apply one proposal exactly once when three accept it together",
    { timeout: 60_000 },
    async () => {
      const home = await inboxHome();
      const { id } = await home.inbox.propose(proposalOf("deploy"));
      const results = await Promise.all([1, 2, 3].map(() => runAccept(home, id)));
      expect(results.toSorted()).toEqual(["accepted", "gone", "gone"]);
      expect(await home.open().log()).toHaveLength(1);
      expect(await home.files()).toEqual([]);
    },
  );

  it.for(["before", "after"])(
    "lose nothing when one is killed %s it writes the topic",
    { timeout: 60_000 },
    async (killed) => {
      const home = await inboxHome();
      const { id } = await home.inbox.propose(proposalOf("deploy"));
      expect(await runAccept(home, id, killed)).toBe("SIGKILL");
      expect(await home.files()).toContain(`${id}.claimed`);
      expect(home.inbox.count()).toBe(1);
      expect((await home.inbox.list()).proposals).toMatchObject([{ id }]);
      const store = home.open();
      expect(await home.inbox.accept(id, { store })).toMatchObject({ kind: "accepted" });
      expect((await store.read("deploy"))?.topic.body).toBe("About deploy.");
      expect(await store.log()).toHaveLength(1);
      expect(await home.files()).toEqual([]);
    },
  );
});

function topicOf(
  name: string,
): Extract<ReturnType<typeof proposalOf>, { action: "write" | "edit" }>["topic"] {
  const proposal = proposalOf(name);
  if (proposal.action === "delete") throw new Error("not a topic");
  return proposal.topic;
}
