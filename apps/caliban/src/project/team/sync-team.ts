import { parseTopic, type TopicType } from "@caliban/memory";
import type { SyncInput, SyncResult, TeamConflict } from "@caliban/memory-git";
import { openProjectInbox } from "../inbox.ts";
import type { Project } from "../project.ts";
import type { OpenedTeam } from "./open-team.ts";
import { shareTopic } from "./share-topic.ts";

/** What a sync did, for the user. */
export interface TeamSync {
  readonly result: SyncResult;
  /** Topics that were shared because of `[memory.team] share`. */
  readonly shared: readonly string[];
  /** Topics that could not be, and why. */
  readonly notShared: readonly { readonly slug: string; readonly message: string }[];
  /** Topics whose own text now waits in the inbox, because the team has another one. */
  readonly proposed: readonly string[];
  /** Removals by this user that others contradicted by editing. */
  readonly keptByOthers: readonly string[];
}

/** Shares what the settings say, fetches, merges, pushes, and writes the topics for prompts. */
export async function syncTeam(
  project: Project,
  team: OpenedTeam,
  input: SyncInput = {},
): Promise<TeamSync> {
  const { shared, notShared } = await shareByType(project, team);
  const result = await team.engine.sync(input);
  const conflicts = result.kind === "synced" ? result.conflicts : [];
  const proposed: string[] = [];
  const keptByOthers: string[] = [];
  for (const conflict of conflicts) {
    if (conflict.mine === undefined) keptByOthers.push(conflict.slug);
    else if (await propose(project, conflict, conflict.mine)) proposed.push(conflict.slug);
    else continue;
    // Only after the user's text is safe elsewhere.
    await team.engine.settle(conflict.id);
  }
  await team.refresh(problemOf(result));
  return { result, shared, notShared, proposed, keptByOthers };
}

/** Empty if the remote was reached and used. */
function problemOf(result: SyncResult): string {
  switch (result.kind) {
    case "synced":
      return "";
    case "offline":
    case "denied":
    case "unusable":
      return result.message;
    case "rewritten":
      return "the remote has another history than before";
    case "contended":
      return "others kept changing the shared memory";
  }
}

/** Text that someone else may have suggested is shared only by a decision about it. */
const OWN_ORIGINS: ReadonlySet<string | undefined> = new Set(["user", "agent", undefined]);

async function shareByType(
  project: Project,
  team: OpenedTeam,
): Promise<Pick<TeamSync, "shared" | "notShared">> {
  const types = sharedTypes(project.settings.values["memory.team.share"]);
  if (types.length === 0) return { shared: [], notShared: [] };
  const { store } = await project.topics({ forWriting: true });
  const { topics } = await store.list();
  const shared: string[] = [];
  const notShared: { slug: string; message: string }[] = [];
  for (const { slug, type } of topics) {
    if (type === undefined || !types.includes(type)) continue;
    const stored = await store.read(slug);
    if (stored === undefined || !OWN_ORIGINS.has(stored.topic.origin)) continue;
    try {
      await shareTopic(team, store, stored);
      shared.push(slug);
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
      notShared.push({ slug, message: error.message });
    }
  }
  return { shared, notShared };
}

/** The types of `type:project,reference`; none for other values. */
function sharedTypes(setting: string): readonly TopicType[] {
  if (!setting.startsWith("type:")) return [];
  const types = setting.slice("type:".length).split(",");
  return (["feedback", "project", "reference"] as const).filter((type) => types.includes(type));
}

/** Saves the user's own text as a proposal. False if the inbox is full, so that it is tried again. */
async function propose(project: Project, { slug }: TeamConflict, mine: string): Promise<boolean> {
  await (await project.home({ forWriting: true }))?.prepare();
  const inbox = await openProjectInbox(project, "project");
  if (inbox === undefined) return false;
  const {
    description,
    type = "project",
    body,
    applies,
    supersedes,
    evidence,
  } = await parseTopic(mine);
  try {
    await inbox.propose({
      action: "write",
      topic: { name: slug, description, type, body, applies, supersedes, evidence },
      scope: "project",
      origin: "user",
      reason: "TEAM_CONFLICT",
    });
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "INBOX_FULL") throw error;
    return false;
  }
}
