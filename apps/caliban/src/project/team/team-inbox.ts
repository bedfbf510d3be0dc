import { createHash } from "node:crypto";
import { MemoryError, parseTopic, type Proposal } from "@caliban/memory";
import type { Inbox } from "@caliban/memory/node";
import type { TeamAuthor, WaitingChange } from "@caliban/memory-git";
import type { Project } from "../project.ts";
import { findTeam } from "./find-team.ts";
import type { OpenedTeam } from "./open-team.ts";
import { readSummary } from "./team-files.ts";

/** Adds what waits of the team to the inbox of a project; the same inbox if the project has no team. */
export function withTeamChanges(inbox: Inbox, project: Project, projectHome: string): Inbox {
  const found = findTeam(project, projectHome);
  if (found?.kind !== "connected") return inbox;
  const { team } = found;
  let opening: Promise<OpenedTeam> | undefined;
  const open = async (): Promise<OpenedTeam> => {
    const { openStoredTeam } = await import("./open-team.ts");
    return openStoredTeam(project, team);
  };
  const opened = (): Promise<OpenedTeam> => (opening ??= open());
  const waiting = async (): Promise<readonly WaitingChange[]> =>
    (await (await opened()).engine.status())?.waiting ?? [];
  const find = async (id: string): Promise<WaitingChange | undefined> =>
    (await waiting()).find((change) => idOf(change) === id);
  return {
    ...inbox,
    count: () => inbox.count() + readSummary(team.directory).waiting,
    list: async () => {
      const [own, changes] = await Promise.all([inbox.list(), waiting()]);
      const shared = await Promise.all(changes.map(toProposal));
      return { ...own, proposals: [...own.proposals, ...shared].toSorted(compare) };
    },
    read: async (id) => {
      const own = await inbox.read(id);
      const change = own === undefined ? await find(id) : undefined;
      return change === undefined ? own : await toProposal(change);
    },
    edit: async (id, topic) => {
      if ((await find(id)) === undefined) return await inbox.edit(id, topic);
      const message =
        "a change of the team cannot be edited here; accept it, then write a topic with this name";
      throw new MemoryError("INVALID_ARGUMENT", message);
    },
    accept: async (id, input) => {
      const change = await find(id);
      if (change === undefined) return await inbox.accept(id, input);
      const { engine, refresh } = await opened();
      await engine.accept(change.version);
      await refresh();
      return { kind: "accepted", proposal: await toProposal(change), slug: change.slug };
    },
    reject: async (id) => {
      const change = await find(id);
      if (change === undefined) return await inbox.reject(id);
      const { engine, refresh } = await opened();
      await engine.reject(change.version);
      await refresh();
      return await toProposal(change);
    },
  };
}

function compare(one: Proposal, other: Proposal): number {
  return one.at < other.at ? -1 : one.at > other.at ? 1 : 0;
}

/** Looks like the id of any other proposal. */
function idOf({ version }: WaitingChange): string {
  return createHash("sha256").update(version).digest("hex").slice(0, 8);
}

async function toProposal(change: WaitingChange): Promise<Proposal> {
  const { slug, text, before, authors, at } = change;
  const source = {
    id: idOf(change),
    at,
    times: 1,
    scope: "team",
    origin: "import",
    reason: "TEAM",
    authors: authors.map(formatAuthor),
    ...(before === undefined ? {} : { before }),
  } as const;
  if (text === undefined) return { ...source, action: "delete", topic: { name: slug } };
  const { description, type = "project", body, applies, supersedes } = await parseTopic(text);
  const topic = { name: slug, description, type, body, applies, supersedes };
  return { ...source, action: before === undefined ? "write" : "edit", topic };
}

/** A name can be forged, a key cannot. */
export function formatAuthor({ name, email, key }: TeamAuthor): string {
  return `${name} <${email}>, ${key === undefined ? "not signed" : `signed with ${key}`}`;
}
