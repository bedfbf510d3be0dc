import { findUnknownRules, type PermissionPolicy } from "@caliban/agent-core";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { type OpenMemory, openMemory, type OpenMemoryInput } from "@caliban/mcp";
import { renderDiagnostic } from "@caliban/settings";
import { createSecretMask, createStoredApprovals } from "@caliban/tools-builtin/node";
import type { Invocation } from "../../command.ts";
import { loadPolicy } from "../../conversation/access/policy.ts";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { agentInbox } from "../../project/inbox.ts";
import { learnedDirectory } from "../../project/locations.ts";
import { memoryAddresses } from "../../project/memory-addresses.ts";
import { openProject, type Project } from "../../project/project.ts";
import { openProjectSearch } from "../../project/search.ts";
import { secretValues } from "../../project/secret-variables.ts";
import { openTeamScope } from "../../project/team-scope.ts";
import { openUserScope, userMemoryDirectory } from "../../project/user-scope.ts";
import { watchTopics } from "../../project/watch-topics.ts";

/** A project whose memory is served. */
export interface ServedProject extends OpenMemory {
  /** The workspace, as it is shown to the user. */
  readonly root: string;
  /** About settings and rules, one per line. */
  readonly warnings: readonly string[];
}

export interface ServedProjectInput {
  readonly invocation: Invocation;
  readonly isReadOnly: boolean;
  /** Shows one line to the user. */
  readonly report: (line: string) => void;
}

/**
 * Opens the memory of the invocation's directory. Creates nothing on disk before the first write.
 * @throws UsageError, SettingsError or MemoryError for a problem that the user can fix
 */
export async function openServedProject(input: ServedProjectInput): Promise<ServedProject> {
  const { invocation, isReadOnly, report } = input;
  const project = await openProject(invocation);
  const { environment, settings, workspace } = project;
  const shown = (path: string): string =>
    abbreviateHome(pathStyleOf(environment.platform), path, environment.home);
  const { policy, warnings } = await loadPolicy(project);
  const offBy = autoMemoryOffReason(project);
  const own =
    offBy === undefined
      ? await openTopics(project, { isReadOnly })
      : { ...memoryAddresses({ project }), learned: undefined, offBy: shown(offBy) };
  const opened = openMemory({
    ...own,
    ...(offBy === undefined ? openedOnDemand(project, { ...input, policy }) : {}),
    policy,
    report,
    readOnlyBy: isReadOnly ? "--read-only" : undefined,
    approvals: createStoredApprovals({ ...environment, workspace }),
    mask: createSecretMask(secretValues(settings, environment.env)),
    paths: [
      ...(own.paths ?? []),
      { name: "workspace", path: workspace.root },
      { name: "home", path: environment.home },
    ],
  });
  return {
    ...opened,
    root: shown(workspace.root),
    warnings: [
      ...settings.warnings.map((problem) => terminalSafeLine(renderDiagnostic(problem))),
      ...[...warnings, ...unknownFlagRules(policy)].map(({ message }) => message),
    ],
  };
}

/** What is loaded when a client asks for it. */
function openedOnDemand(
  project: Project,
  input: ServedProjectInput & { readonly policy: PermissionPolicy },
): Pick<OpenMemoryInput, "skills" | "renderPage"> {
  return {
    skills: async () => {
      const { loadServedSkills } = await import("./served-skills.ts");
      return await loadServedSkills(project, input);
    },
    renderPage: async () => {
      const { renderMemoryApp } = await import("./memory-app.ts");
      return await renderMemoryApp(input);
    },
  };
}

async function openTopics(
  project: Project,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Promise<Omit<OpenMemoryInput, "report">> {
  const topics = await project.topics({ forWriting: !isReadOnly });
  const { store, locations, directory, historyDirectory } = topics;
  const { projectHome } = locations;
  const learned = projectHome === undefined ? [] : [learnedDirectory(projectHome)];
  const userScope = openUserScope(project);
  const userDirectory = userScope && userMemoryDirectory(project);
  return {
    ...memoryAddresses({ project, projectHome }),
    store,
    userScope,
    teamTopics: openTeamScope(project),
    search: openProjectSearch({ project, isStored: !isReadOnly }),
    now: project.host.now,
    inbox: agentInbox(project, "project"),
    hasLearned: project.settings.values["memories.enabled"],
    watch: (events) =>
      watchTopics({
        topics,
        directories: [...learned, ...[userDirectory ?? []].flat()],
        ...events,
      }),
    paths: [
      { name: "topics", path: directory },
      { name: "topics", path: directory && realPathIfExists(directory) },
      { name: "history", path: historyDirectory },
      { name: "project", path: projectHome },
      { name: "user", path: userDirectory },
    ],
  };
}

const KNOWN_TO_FLAGS = [
  { name: "ReadMemoryTopic", permission: "memory.read" },
  { name: "WriteMemoryTopic", permission: "memory.write" },
  { name: "MemorySearch", permission: "memory.search" },
  // For patterns about reading addresses.
  { name: "Read", permission: "fs.read" },
];

/** Only rules from flags: a rule in the settings may be about a tool of a conversation. */
function unknownFlagRules(policy: PermissionPolicy): ReturnType<typeof findUnknownRules> {
  const rules = [...policy.allow, ...policy.ask, ...policy.deny];
  const deny = rules.filter(({ source }) => source.startsWith("--"));
  return findUnknownRules({ ...policy, allow: [], ask: [], deny }, KNOWN_TO_FLAGS);
}
