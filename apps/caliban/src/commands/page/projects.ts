import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { listNames, statIfExists } from "@caliban/common/node";
import { isMemoryError } from "@caliban/memory";
import { type KnownProject, listProjects } from "@caliban/memory/node";
import type { MemoryPageData, PageProject, PageProjects } from "@caliban/page";
import { isSettingsError } from "@caliban/settings";
import type { Invocation } from "../../command.ts";
import { openProjectInbox } from "../../project/inbox.ts";
import { openProject, type Project } from "../../project/project.ts";
import { abbreviatePath } from "../user-paths.ts";
import { latestResult } from "./latest-result.ts";
import { createPageContext } from "./page-context.ts";
import { openPageData } from "./page-data.ts";
import { watchMemory } from "./watch-memory.ts";

export interface OpenPageProjectsInput {
  readonly isAll: boolean;
  /** Called when something that the page shows may have changed. Without it, nothing is watched. */
  readonly onChange?: (() => void) | undefined;
  readonly report: (line: string) => void;
}

/** The projects of a page, and how to stop watching them. */
export interface OpenedPageProjects extends PageProjects {
  readonly close: () => void;
}

/** Opens the project of an invocation, or with `isAll` every project of this user, each when it is first shown. */
export async function openPageProjects(
  invocation: Invocation,
  { isAll, onChange, report }: OpenPageProjectsInput,
): Promise<OpenedPageProjects> {
  const stops: (() => void)[] = [];
  const openData = async (own: Invocation): Promise<MemoryPageData> => {
    const context = createPageContext(own);
    if (onChange !== undefined) {
      const changed = (): void => {
        context.forget();
        onChange();
      };
      stops.push(await watchMemory(own, { onChange: changed, report }));
    }
    return await openPageData(context);
  };
  const opened = new Map<string, Promise<MemoryPageData>>();
  const openOnce = async (id: string, own: Invocation): Promise<MemoryPageData> => {
    const data = opened.get(id) ?? openData(own);
    opened.set(id, data);
    return await data;
  };
  const current = await currentProject(invocation);
  // At once: what is wrong with the settings is reported before a browser opens.
  await openOnce(current.id, invocation);
  return {
    isAll,
    list: latestResult(async () => {
      if (!isAll) return [emptyRow(invocation, current, true)];
      const others = await otherProjects(invocation, current);
      return [await describe(invocation, current, true), ...others];
    }),
    open: async (id = current.id) => {
      if (id === current.id) return await openOnce(id, invocation);
      const known = isAll ? knownProjects(invocation).find((each) => each.id === id) : undefined;
      if (known === undefined) return undefined;
      const { project, problem } = await openKnown(invocation, known);
      if (project === undefined || problem !== undefined) return undefined;
      return await openOnce(id, atWorkspace(invocation, project.workspace.root));
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

/** A project by its home. */
interface IdentifiedProject {
  readonly id: string;
  readonly path: string | undefined;
  readonly name: string;
}

async function currentProject(invocation: Invocation): Promise<IdentifiedProject> {
  const project = await openProject(invocation);
  const home = await project.home();
  const name = home === undefined ? project.workspace.root : basename(home.home);
  return { id: idOf(name), name, path: project.workspace.root };
}

/** The name of a home contains the path, and with it the name of the user. */
function idOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 12);
}

function knownProjects({ host }: Invocation): readonly IdentifiedProject[] {
  return listProjects(host)
    .filter(isProjectHome)
    .map(({ name, path }) => ({ id: idOf(name), name, path }));
}

/** Not the home of a memory directory that several projects share. */
function isProjectHome({ home }: KnownProject): boolean {
  return ["memory", "sessions", "autonomous", "inbox"].some((name) => existsSync(join(home, name)));
}

async function otherProjects(
  invocation: Invocation,
  current: IdentifiedProject,
): Promise<readonly PageProject[]> {
  const others = knownProjects(invocation).filter(({ id }) => id !== current.id);
  const rows: PageProject[] = [];
  // One after the other: there may be hundreds, and other requests wait.
  for (const other of others) rows.push(await describe(invocation, other, false));
  return rows.toSorted((one, other) => (other.changedMs ?? 0) - (one.changedMs ?? 0));
}

async function describe(
  invocation: Invocation,
  known: IdentifiedProject,
  isCurrent: boolean,
): Promise<PageProject> {
  const row = emptyRow(invocation, known, isCurrent);
  const { project, problem } = isCurrent
    ? { project: await openProject(invocation), problem: undefined }
    : await openKnown(invocation, known);
  if (project === undefined) return { ...row, problem };
  const { directory } = await project.topics();
  const topics = directory === undefined ? [] : listNames(directory).filter(isTopicFile);
  const inbox = await openProjectInbox(project, "project");
  const changedMs =
    directory === undefined || topics.length === 0 ? undefined : statIfExists(directory)?.mtimeMs;
  return { ...row, topics: topics.length, proposals: inbox?.count() ?? 0, changedMs, problem };
}

function emptyRow(
  { host }: Invocation,
  { id, name, path }: IdentifiedProject,
  isCurrent: boolean,
): PageProject {
  const shown = path === undefined ? name : abbreviatePath(host, path);
  const nothing = { topics: 0, proposals: 0, changedMs: undefined, problem: undefined };
  return { id, path: shown, isCurrent, ...nothing };
}

function isTopicFile(name: string): boolean {
  return name.endsWith(".md") && name !== "MEMORY.md" && !name.startsWith(".");
}

interface OpenedKnown {
  readonly project?: Project | undefined;
  /** Why its memory cannot be shown. */
  readonly problem?: string | undefined;
}

/** Opens a project where it was when something was last written for it. */
async function openKnown(
  invocation: Invocation,
  { path, name }: IdentifiedProject,
): Promise<OpenedKnown> {
  if (path === undefined) return { problem: "its directory is not known" };
  const adopt = invocation.host.command("memory adopt");
  if (statIfExists(path)?.isDirectory() !== true)
    return { problem: `its directory no longer exists. If it moved, run there: ${adopt}` };
  try {
    const project = await openProject(atWorkspace(invocation, path));
    const home = await project.home();
    return home !== undefined && basename(home.home) === name
      ? { project }
      : { problem: "another project is in its directory now" };
  } catch (error) {
    // One project whose settings are invalid must not hide the others.
    if (!isSettingsError(error) && !isMemoryError(error)) throw error;
    return { problem: error.message };
  }
}

/** The invocation of a command in another project, which gets nothing of the options for this one. */
function atWorkspace(invocation: Invocation, workspace: string): Invocation {
  return { ...invocation, workspace, additionalDirectories: [] };
}
