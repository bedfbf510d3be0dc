import { isAbsolute, relative, sep } from "node:path";
import type { LoadSessionRequest, NewSessionRequest } from "@agentclientprotocol/sdk";
import { createQueue, isAbsolutePath, pathStyleOf } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import type { Invocation } from "../../../command.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { invalidParams, sessionNotFound } from "../protocol/request-error.ts";
import type { EditorSession } from "./editor-session.ts";
import {
  type EditorConnection,
  editorInvocation,
  openEditorSession,
} from "./open-editor-session.ts";
import {
  findOwner,
  listOwnSessions,
  removeOwnSession,
  requireOwnSession,
  type SessionPage,
} from "./stored-sessions.ts";

/** The sessions of one connection. */
export interface SessionTable {
  readonly create: (request: DirectoryRequest) => Promise<EditorSession>;
  /** Opens a stored session, or returns it if it is open. @throws RequestError for one of another workspace */
  readonly resume: (
    request: DirectoryRequest & { readonly sessionId: string },
  ) => Promise<EditorSession>;
  readonly list: (request: {
    readonly cwd?: string | null | undefined;
    readonly cursor?: string | null | undefined;
  }) => Promise<SessionPage>;
  /** @throws RequestError for a session that is not open */
  readonly require: (sessionId: string) => EditorSession;
  readonly close: (sessionId: string) => Promise<void>;
  /**
   * Removes a session permanently, of a workspace whose sessions were opened or listed here.
   * @throws RequestError for one that does not exist there
   */
  readonly remove: (sessionId: string) => Promise<void>;
  readonly closeAll: () => Promise<void>;
}

type DirectoryRequest = Pick<NewSessionRequest, "cwd" | "additionalDirectories"> &
  Partial<Pick<LoadSessionRequest, "mcpServers">>;

export interface SessionTableInput extends EditorConnection {
  readonly invocation: Invocation;
}

export function createSessionTable(input: SessionTableInput): SessionTable {
  const { invocation } = input;
  const open = new Map<string, EditorSession>();
  // The workspaces that this editor knows, by their roots.
  const known = new Map<string, Project>();
  // One after the other: two requests for the same session must not open it twice.
  const enqueue = createQueue();
  let isClosed = false;
  const close = async (sessionId: string): Promise<void> => {
    const session = open.get(sessionId);
    open.delete(sessionId);
    await session?.close();
  };
  const openIn = async (
    { cwd, additionalDirectories = [] }: DirectoryRequest,
    sessionId?: string,
  ): Promise<EditorSession> => {
    const scoped = editorInvocation(invocation, cwd, additionalDirectories);
    const project = await requireDirectory(scoped, invocation);
    known.set(project.workspace.root, project);
    const running = sessionId === undefined ? undefined : open.get(sessionId);
    if (sessionId !== undefined) await requireOwnSession(project, sessionId);
    if (running !== undefined) return running;
    const session = await openEditorSession({ ...input, invocation: scoped, resumedId: sessionId });
    if (isClosed) await session.close();
    open.set(session.id, session);
    return session;
  };
  return {
    create: async (request) => await enqueue(() => openIn(request)),
    resume: async (request) => await enqueue(() => openIn(request, request.sessionId)),
    list: async ({ cwd, cursor }) => {
      const directory = cwd ?? invocation.workspace ?? invocation.host.cwd;
      if (directory === undefined) return { sessions: [] };
      const scoped = editorInvocation(invocation, directory, []);
      const project = await requireDirectory(scoped, invocation);
      known.set(project.workspace.root, project);
      return await listOwnSessions(project, cursor);
    },
    require: (sessionId) => {
      const session = open.get(sessionId);
      if (session !== undefined) return session;
      throw sessionNotFound(
        sessionId,
        `session ${JSON.stringify(sessionId)} is not open. Load it first`,
      );
    },
    close,
    remove: async (sessionId) =>
      await enqueue(async () => {
        const owner = await findOwner(known.values(), sessionId);
        await close(sessionId);
        await removeOwnSession(owner, sessionId);
      }),
    closeAll: async () => {
      isClosed = true;
      await Promise.all([...open.values()].map(async (session) => await session.close()));
      open.clear();
    },
  };
}

/**
 * Opens the project of a session's directory.
 * @throws RequestError for a path that is not absolute, or a directory outside of `--workspace`
 */
async function requireDirectory(scoped: Invocation, invocation: Invocation): Promise<Project> {
  const { workspace: directory = "", additionalDirectories, host } = scoped;
  const given = additionalDirectories.slice(invocation.additionalDirectories.length);
  for (const path of [directory, ...given]) {
    if (isAbsolutePath(pathStyleOf(host.platform), path)) continue;
    throw invalidParams(`not an absolute path: ${JSON.stringify(path)}`);
  }
  const project = await openProject(scoped);
  if (invocation.workspace === undefined) return project;
  const only = await openProject(invocation);
  const outside = given.find((path) => leadsOutside(only.workspace.root, path));
  if (only.workspace.root === project.workspace.root && outside === undefined) return project;
  throw invalidParams(
    `caliban acp was started with --workspace, so it works in ${only.workspace.root} only. To allow another directory, add --add-dir`,
  );
}

function leadsOutside(root: string, path: string): boolean {
  const below = relative(realPathIfExists(root) ?? root, realPathIfExists(path) ?? path);
  return below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
}
