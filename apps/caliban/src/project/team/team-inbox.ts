import { createHash } from "node:crypto";
import { isErrorNamed } from "@caliban/common";
import { isMemoryError, MemoryError, parseTopic, type Proposal } from "@caliban/memory";
import type { Inbox } from "@caliban/memory/node";
import type { TeamAuthor, WaitingChange } from "@caliban/memory-git";
import type { Project } from "../project.ts";
import { findTeam } from "./find-team.ts";
import type { OpenedTeam } from "./open-team.ts";
import { readSummary, type StoredTeam } from "./team-files.ts";

/** Adds what waits of the team to the inbox of a project; the same inbox if the project has no team. */
export function withTeamChanges(inbox: Inbox, project: Project, projectHome: string): Inbox {
  const found = findTeam(project, projectHome);
  if (found?.kind !== "connected") return inbox;
  const { team } = found;
  const { list, find, decide } = openWaiting(project, team);
  return {
    ...inbox,
    count: () => inbox.count() + readSummary(team.directory).waiting,
    list: async () => {
      const [own, shared] = await Promise.all([inbox.list(), listed(list, team)]);
      const proposals = own.proposals.concat(shared.proposals).toSorted(compare);
      return { proposals, problems: own.problems.concat(shared.problems) };
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
      await decide(change, "accept");
      return { kind: "accepted", proposal: await toProposal(change), slug: change.slug };
    },
    reject: async (id) => {
      const change = await find(id);
      if (change === undefined) return await inbox.reject(id);
      await decide(change, "reject");
      return await toProposal(change);
    },
  };
}

/** What waits of the team. If that cannot be read, the user's own inbox is still shown. */
async function listed(list: Waiting["list"], { directory }: StoredTeam): ReturnType<Inbox["list"]> {
  try {
    return { proposals: await Promise.all((await list()).map(toProposal)), problems: [] };
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return { proposals: [], problems: [{ path: directory, message: error.message }] };
  }
}

/** The changes that wait in the clone. */
interface Waiting {
  readonly list: () => Promise<readonly WaitingChange[]>;
  readonly find: (id: string) => Promise<WaitingChange | undefined>;
  readonly decide: (change: WaitingChange, decision: "accept" | "reject") => Promise<void>;
}

/** The code for the clone is loaded by the first use. */
function openWaiting(project: Project, team: StoredTeam): Waiting {
  let opening: Promise<OpenedTeam> | undefined;
  const open = async (): Promise<OpenedTeam> => {
    const { openStoredTeam } = await import("./open-team.ts");
    return openStoredTeam(project, team);
  };
  const opened = (): Promise<OpenedTeam> => (opening ??= open());
  const list: Waiting["list"] = async () =>
    (await withMemoryErrors(async () => await (await opened()).engine.status()))?.waiting ?? [];
  return {
    list,
    find: async (id) => (await list()).find((change) => idOf(change) === id),
    decide: async ({ version }, decision) =>
      await withMemoryErrors(async () => {
        const { engine, refresh } = await opened();
        await engine[decision](version);
        await refresh();
      }),
  };
}

/** Readers of an inbox know the errors of memory only. */
async function withMemoryErrors<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isErrorNamed(error, "TeamError")) throw error;
    const code = error.code === "CHANGED_MEANWHILE" ? "CHANGED_SINCE" : "STORE_UNAVAILABLE";
    throw new MemoryError(code, error.message, { cause: error });
  }
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
