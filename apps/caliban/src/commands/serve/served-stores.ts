import { createHash } from "node:crypto";
import { basename } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import { renderDiagnostic } from "@caliban/settings";
import type { ServedStore } from "@caliban/tools-builtin/store-api";
import { type Invocation, listOption } from "../../command.ts";
import { loadPolicy } from "../../conversation/access/policy.ts";
import { requireAutoMemory } from "../../project/auto-memory-off.ts";
import { agentInbox } from "../../project/inbox.ts";
import { openProject, type Project } from "../../project/project.ts";
import type { ProjectTopics } from "../../project/topics.ts";
import { resolveUserPath } from "../user-paths.ts";
import type { TokenStore } from "./tokens/token-file.ts";

/** The stores that a server was asked for, and what the user should know about them. */
export interface OpenedStores {
  readonly stores: readonly (ServedStore & { readonly path: string })[];
  /** About settings and rules, one per line. */
  readonly warnings: readonly string[];
}

/**
 * Opens the memory of each project of `--store`, or of the current one.
 * @throws UsageError, SettingsError or MemoryError for a problem that the user can fix
 */
export async function openStores(invocation: Invocation): Promise<OpenedStores> {
  const warnings: string[] = [];
  const stores = new Map<string, OpenedStores["stores"][number]>();
  for (const project of await openProjects(invocation)) {
    requireAutoMemory(project);
    const topics = await project.topics({ forWriting: true });
    const { current, warnings: ofRules } = await loadPolicy(project);
    warnings.push(
      ...project.settings.warnings.map((problem) => terminalSafeLine(renderDiagnostic(problem))),
      ...ofRules.map(({ message }) => message),
    );
    const { id, name } = await identify(topics, project);
    const path = project.workspace.root;
    stores.set(id, {
      id,
      name,
      path,
      description: `What caliban remembers about the project ${name}.`,
      store: topics.store,
      history: topics.database?.history,
      recordExternalChanges: () => recordExternalChanges(topics),
      inbox: agentInbox(project, "project"),
      policy: current,
    });
  }
  return { stores: [...stores.values()], warnings };
}

/** The ids of the stores, for a token. */
export async function identifyStores(invocation: Invocation): Promise<readonly TokenStore[]> {
  const found = new Map<string, TokenStore>();
  for (const project of await openProjects(invocation)) {
    const { id } = await identify(await project.topics(), project);
    found.set(id, { id, path: project.workspace.root });
  }
  return [...found.values()];
}

async function openProjects(invocation: Invocation): Promise<readonly Project[]> {
  const directories = listOption(invocation, "store");
  if (directories.length === 0) return [await openProject(invocation)];
  return await Promise.all(
    directories.map(async (directory) => {
      const workspace = resolveUserPath(invocation.host, directory);
      return await openProject({ ...invocation, workspace, additionalDirectories: [] });
    }),
  );
}

interface StoreName {
  readonly id: string;
  readonly name: string;
}

/** The same on every machine for a database, and for files as long as the project keeps its home. */
async function identify(
  { database, directory, locations }: ProjectTopics,
  { workspace }: Project,
): Promise<StoreName> {
  if (database !== undefined) {
    const project = await database.projectName();
    return { id: idOf(`postgres ${project}`), name: project };
  }
  const { projectHome } = locations;
  const home = projectHome === undefined ? directory : basename(projectHome);
  return { id: idOf(`files ${home}`), name: basename(workspace.root) };
}

/** The name of a home contains the path, and with it the name of the user. */
function idOf(text: string): string {
  return `memstore_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}

/** A directory that cannot be written can still be read. */
async function recordExternalChanges({ store }: ProjectTopics): Promise<void> {
  try {
    await store.recordExternalChanges?.();
  } catch (error) {
    if (!isMemoryError(error)) throw error;
  }
}
