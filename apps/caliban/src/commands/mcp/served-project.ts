import { join } from "node:path";
import {
  findUnknownRules,
  type PermissionPolicy,
  type PolicyRule,
  type Tool,
} from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import {
  createPathRedactor,
  readableStore,
  readOnly,
  type ServedMemory,
  servedTools,
  unattended,
} from "@caliban/mcp";
import { watchDirectories } from "@caliban/mcp/node";
import type { TopicStore } from "@caliban/memory";
import { keyValues } from "@caliban/providers";
import { renderDiagnostic } from "@caliban/settings";
import { createSecretMask } from "@caliban/tools-builtin/node";
import type { Invocation } from "../../command.ts";
import {
  createLearnedReader,
  createMemoryUrls,
  explainPrefix,
} from "../../conversation/access/memory-urls.ts";
import { loadPolicy } from "../../conversation/access/policy.ts";
import {
  createIndexIfAllowed,
  createProjectMemoryTools,
} from "../../conversation/prompt/memory-tools.ts";
import { offeredTools } from "../../conversation/prompt/tools.ts";
import { createConversationRunner, projectApprovals } from "../../conversation/turn/tool-runner.ts";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { openProject, type Project } from "../../project/project.ts";
import { openProjectSearch } from "../../project/search.ts";

/** A project whose memory is served. */
export interface ServedProject {
  readonly project: Project;
  readonly memory: ServedMemory;
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
  const { invocation, isReadOnly } = input;
  const project = await openProject(invocation);
  const { policy: rules, warnings } = await loadPolicy(project);
  const policy = isReadOnly ? readOnly(rules, "--read-only") : rules;
  const offBy = autoMemoryOffReason(project);
  const memory =
    offBy === undefined
      ? await openTopics({ ...input, project, policy })
      : serveNothing(project, policy, offBy);
  return {
    project,
    memory,
    warnings: [
      ...project.settings.warnings.map((problem) => terminalSafeLine(renderDiagnostic(problem))),
      ...[...warnings, ...unknownFlagRules(rules)].map(({ message }) => message),
    ],
  };
}

/** Without auto-memory, clients can still read the prefix. */
function serveNothing(project: Project, policy: PermissionPolicy, offBy: string): ServedMemory {
  const { host, workspace } = project;
  const tools = { tools: [], deniedTools: [] };
  return {
    offBy,
    topics: undefined,
    policy,
    ...tools,
    ...createAccess(project, { ...tools, policy, report: () => undefined }),
    resolve: createMemoryUrls({ topics: undefined, learned: undefined, prefix: prefixOf(project) }),
    watch: () => () => undefined,
    redactPaths: createPathRedactor([
      { name: "workspace", path: workspace.root },
      { name: "home", path: host.home },
    ]),
  };
}

interface TopicsInput extends Pick<ServedProjectInput, "isReadOnly" | "report"> {
  readonly project: Project;
  readonly policy: PermissionPolicy;
}

async function openTopics(input: TopicsInput): Promise<ServedMemory> {
  const { project, policy, isReadOnly } = input;
  const { host, workspace, settings } = project;
  const { store, locations, directory, historyDirectory } = await project.topics({
    forWriting: !isReadOnly,
  });
  const { projectHome } = locations;
  const all = servedTools(
    createProjectMemoryTools({
      host,
      store: preparedStore(store, () => createIndexIfAllowed(store, policy)),
      search: openProjectSearch({ project, isStored: !isReadOnly }),
      policy: unattended(policy),
    }),
  );
  const tools = offeredTools(all, policy);
  const deniedTools = all.filter((tool) => !tools.includes(tool));
  const directories = [
    directory,
    ...(projectHome === undefined ? [] : [join(projectHome, "autonomous")]),
  ];
  return {
    topics: store,
    policy,
    tools,
    deniedTools,
    ...createAccess(project, { ...input, tools, deniedTools }),
    resolve: createMemoryUrls({
      topics: readableStore(store, policy),
      learned: createLearnedReader(settings.values, projectHome),
      prefix: prefixOf(project),
    }),
    watch: (events) => watchDirectories({ directories, ...events }),
    hasLearned: settings.values["memories.enabled"],
    redactPaths: createPathRedactor([
      { name: "topics", path: directory },
      { name: "topics", path: realPathIfExists(directory) },
      { name: "history", path: historyDirectory },
      { name: "project", path: projectHome },
      { name: "workspace", path: workspace.root },
      { name: "home", path: host.home },
    ]),
  };
}

interface AccessInput extends Pick<ServedMemory, "tools" | "deniedTools" | "policy"> {
  readonly report: (line: string) => void;
}

/** How clients run tools and read texts: by the user's rules, and without the user's keys. */
function createAccess(
  project: Project,
  { tools, deniedTools, policy, report }: AccessInput,
): Pick<ServedMemory, "createRunner" | "mask" | "hasPrefix"> {
  const { settings, environment } = project;
  return {
    createRunner: (sessionId) =>
      createConversationRunner({
        project,
        agent: { tools, deniedTools },
        approvals: projectApprovals(project),
        policy: () => policy,
        sessionId,
        notify: ({ message }) => report(message),
      }),
    mask: createSecretMask(keyValues(settings.values.providers, environment.env)),
    hasPrefix: true,
  };
}

function prefixOf(project: Project): () => Promise<string> {
  return async () => explainPrefix(await project.memory(), project.environment);
}

/** Creates the index with the first call of a tool, if the rules allow it, as in a conversation. */
function preparedStore(store: TopicStore, prepare: () => Promise<void>): TopicStore {
  let preparing: Promise<void> | undefined;
  const prepared = (): Promise<void> => (preparing ??= prepare());
  return {
    ...store,
    list: async () => await prepared().then(() => store.list()),
    read: async (name) => await prepared().then(() => store.read(name)),
    write: async (request) => await prepared().then(() => store.write(request)),
  };
}

/** Only rules from flags: a rule in the settings may be about a tool of a conversation. */
function unknownFlagRules(policy: PermissionPolicy): ReturnType<typeof findUnknownRules> {
  const { allow, ask, deny } = policy;
  const flags = {
    ...policy,
    allow: fromFlags(allow),
    ask: fromFlags(ask),
    deny: fromFlags(deny),
  };
  return findUnknownRules(flags, KNOWN_TO_FLAGS);
}

function fromFlags(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  return rules.filter(({ source }) => source.startsWith("--"));
}

const KNOWN_TO_FLAGS: readonly Pick<Tool, "name" | "permission">[] = [
  { name: "ReadMemoryTopic", permission: "memory.read" },
  { name: "WriteMemoryTopic", permission: "memory.write" },
  { name: "MemorySearch", permission: "memory.search" },
  // For patterns about reading addresses.
  { name: "Read", permission: "fs.read" },
];
