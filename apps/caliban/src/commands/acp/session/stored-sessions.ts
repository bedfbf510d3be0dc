import type { SessionInfo } from "@agentclientprotocol/sdk";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import {
  listSessions,
  sessionFiles,
  type SessionSummary,
  summarizeSession,
} from "@caliban/sessions/node";
import type { Project } from "../../../project/project.ts";
import { invalidParams, sessionNotFound } from "../protocol/request-error.ts";

const PAGE = 50;

export interface SessionPage {
  readonly sessions: SessionInfo[];
  readonly nextCursor?: string;
}

/** The sessions of a workspace, newest first. Those that a script ran are left out. */
export async function listOwnSessions(
  project: Project,
  cursor: string | null | undefined,
): Promise<SessionPage> {
  const from = cursor === null || cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw invalidParams("invalid cursor");
  const found = await project.sessions();
  if (found === undefined) return { sessions: [] };
  const { sessions, omitted } = listSessions(found.directory, { limit: from + PAGE });
  const own = sessions
    .slice(from)
    .filter((session) => isOwn(session, project) && session.isUnattended !== true);
  return {
    sessions: own.map((session) => toInfo(session, project)),
    ...(omitted > 0 ? { nextCursor: String(from + PAGE) } : {}),
  };
}

function toInfo(
  { id, name, title, updatedMs }: SessionSummary,
  { workspace }: Project,
): SessionInfo {
  return {
    sessionId: id,
    cwd: workspace.root,
    title: terminalSafeLine(name ?? title ?? "(untitled)"),
    updatedAt: new Date(updatedMs).toISOString(),
  };
}

/** The worktrees of a repository share a directory of sessions. */
function isOwn(
  { workspace: other }: Pick<SessionSummary, "workspace">,
  { workspace }: Pick<Project, "workspace">,
): boolean {
  return other === undefined || other === workspace.root;
}

/**
 * Checks that a session belongs to a workspace.
 * @throws RequestError for one that does not exist there, or that another worktree of the repository started
 */
export async function requireOwnSession(project: Project, sessionId: string): Promise<void> {
  const { workspace, environment } = project;
  const shown = (path: string): string =>
    terminalSafeLine(abbreviateHome(pathStyleOf(environment.platform), path, environment.home));
  const missing = sessionNotFound(
    sessionId,
    `no session ${JSON.stringify(sessionId)} in ${shown(workspace.root)}. Sessions of other workspaces are opened there`,
  );
  const found = await project.sessions();
  // Only by its whole id: a part of one may mean a session that the editor does not know.
  const file = found && sessionFiles(found.directory).find(({ id }) => id === sessionId);
  if (file === undefined) throw missing;
  const session = summarizeSession(file.id, file.path);
  if (isOwn(session, project)) return;
  throw sessionNotFound(
    sessionId,
    `session ${sessionId} belongs to ${shown(session.workspace ?? "")}, not to ${shown(workspace.root)}. Open it there`,
  );
}

/**
 * The first of some projects that has a session.
 * @throws RequestError if none has it
 */
export async function findOwner(projects: Iterable<Project>, sessionId: string): Promise<Project> {
  for (const project of projects) {
    const found = await project.sessions();
    const file = found && sessionFiles(found.directory).find(({ id }) => id === sessionId);
    if (file !== undefined && isOwn(summarizeSession(file.id, file.path), project)) return project;
  }
  const message = `no session ${JSON.stringify(sessionId)} in the workspaces that were listed or opened`;
  throw sessionNotFound(sessionId, message);
}

/** Removes a session with its checkpoints, as `caliban sessions rm` does. */
export async function removeOwnSession(project: Project, sessionId: string): Promise<void> {
  const found = await project.sessions();
  const file = found && sessionFiles(found.directory).find(({ id }) => id === sessionId);
  if (found === undefined || file === undefined) return;
  const { eraseSession } = await import("../../sessions/erase-session.ts");
  await eraseSession(project.host, found, file.id);
}
