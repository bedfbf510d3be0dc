import { join } from "node:path";
import type { PermissionPolicy, PolicyRule, Tool } from "@caliban/agent-core";
import { realPathIfExists } from "@caliban/common/node";
import type { TopicStore } from "@caliban/memory";
import { createLearnedReader, type MemoryUrlsInput } from "../../conversation/access/memory-urls.ts";
import { createProjectMemoryTools, createIndexIfAllowed } from "../../conversation/prompt/memory-tools.ts";


import { ruleSlips } from "../../../../../packages/agent-core/src/permissions/unknown-rules.ts";
import { offeredTools } from "../../conversation/prompt/tools.ts";
import type { Project } from "../../project/project.ts";
import { deferredSearch } from "../../project/search/deferred-search.ts";
import { createPathRedactor } from "../../../../../packages/mcp/src/serve/hide-paths.ts";
import { isTopicShown, refuseDeniedTopic } from "../../../../../packages/mcp/src/serve/read-resource.ts";
import type { ServedProject } from "./served-project.ts";

export interface ServedNotesInput {
  readonly project: Project;
  readonly policy: PermissionPolicy;
  readonly isReadOnly: boolean;
}

/** What there is where notes are kept. */
export interface ServedNotes extends Pick<
  ServedProject,
  "tools" | "withheld" | "watched" | "hasLearned" | "hidePlaces"
> {
  readonly notes: Pick<TopicStore, "list">;
  readonly urls: Pick<MemoryUrlsInput, "store" | "learned">;
}

/** Taking notes away stays with caliban and the person. */
const SERVED_TOOLS: ReadonlySet<string> = new Set([
  "ReadMemoryTopic",
  "WriteMemoryTopic",
  "MemorySearch",
]);

/** The notes of a project for clients, by the one definition of the tools. */
export async function openServedNotes(input: ServedNotesInput): Promise<ServedNotes> {
  const { project, policy, isReadOnly } = input;
  const { host } = project;
  const { workspace, settings } = project;
  const opened = await project.topics({ forWriting: !isReadOnly });
  const { store, places, directory } = opened;
  const all = createProjectMemoryTools({
    host,
    store: prepared(store, () => createIndexIfAllowed(store, policy)),
    search: deferredSearch({ project, isKept: !isReadOnly }),
    policy: unasked(policy),
  }).filter(({ name }) => SERVED_TOOLS.has(name));
  const tools = offeredTools(all, policy);
  const { projectHome } = places;
  return {
    notes: store,
    tools,
    withheld: all.filter((tool) => !tools.includes(tool)),
    urls: {
      topics: permitted(store, policy),
      learned: createLearnedReader(settings.values, projectHome),
    },
    watched: [directory, ...(projectHome === undefined ? [] : [join(projectHome, "autonomous")])],
    hasLearned: settings.values["memories.enabled"],
    hidePlaces: createPathRedactor([
      { name: "notes", path: directory },
      { name: "notes", path: realPathIfExists(directory) },
      { name: "history", path: opened.historyDirectory },
      { name: "project", path: projectHome },
      { name: "workspace", path: workspace.root },
      { name: "home", path: host.home },
    ]),
  };
}

/** Nobody is there to be asked, so what is to be asked about is not shown. */
function unasked(policy: PermissionPolicy): PermissionPolicy {
  return { ...policy, ask: [], deny: [...policy.deny, ...policy.ask] };
}

/** Only of flags: what settings say of tools that are not served is right in a session. */
export function flagSlips(policy: PermissionPolicy): readonly string[] {
  const { allow, ask, deny } = policy;
  const flags = { ...policy, allow: ofFlags(allow), ask: ofFlags(ask), deny: ofFlags(deny) };
  return ruleSlips(flags, KNOWN_TO_FLAGS);
}

function ofFlags(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  return rules.filter(({ source }) => source.startsWith("--"));
}

const KNOWN_TO_FLAGS: readonly Pick<Tool, "name" | "permission">[] = [
  { name: "ReadMemoryTopic", permission: "memory.read" },
  { name: "WriteMemoryTopic", permission: "memory.write" },
  { name: "MemorySearch", permission: "memory.search" },
  // Patterns about reading addresses.
  { name: "Read", permission: "fs.read" },
];

/** The first call of a tool makes an index where one may be written, as in a session. */
function prepared(store: TopicStore, prepare: () => Promise<void>): TopicStore {
  let preparing: Promise<void> | undefined;
  const first = (): Promise<void> => (preparing ??= prepare());
  return {
    ...store,
    list: async () => await first().then(() => store.list()),
    read: async (name) => await first().then(() => store.read(name)),
    write: async (request) => await first().then(() => store.write(request)),
  };
}

/** By the name on the disk as well, because an address may spell it in another case. */
function permitted(
  store: TopicStore,
  policy: PermissionPolicy,
): Pick<TopicStore, "index" | "list" | "read"> {
  const isShown = ({ slug }: { readonly slug: string }): boolean => isTopicShown(slug, policy);
  return {
    index: store.index,
    list: async () => {
      const { topics, problems } = await store.list();
      return { topics: topics.filter(isShown), problems: problems.filter(isShown) };
    },
    read: async (name) => {
      refuseDeniedTopic(name, policy);
      const found = await store.read(name);
      if (found !== undefined) refuseDeniedTopic(found.slug, policy);
      return found;
    },
  };
}
