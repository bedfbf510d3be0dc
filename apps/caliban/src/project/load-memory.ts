import { userDirectories } from "@caliban/common";
import { lazyTopicStore, type Receipt } from "@caliban/memory";
import { type LoadedMemory, loadMemory, type LoadMemoryInput } from "@caliban/memory/node";
import { memorySettings, pipelineSettings } from "@caliban/settings";
import { hasTeams } from "./has-teams.ts";
import { readProjectForgotten } from "./forgotten.ts";
import type { Project } from "./project.ts";
import type { LearnedMemory } from "./learned-memory.ts";
import { isInDatabase } from "./is-in-database.ts";

/** The prompt prefix of a project, and the directories its memory was loaded from. */
export interface ProjectMemory extends Omit<LoadedMemory, "activate" | "nonce"> {
  /** What was learned from past sessions; absent when learned memory was not read. */
  readonly learned?: LearnedMemory | undefined;
  /** Absent when no file can bring in further rules or instructions. */
  readonly activate?: LoadedMemory["activate"];
  /** Absent when `activate` is. */
  readonly nonce?: string;
}

/** Asks the user about a file outside the workspace that an instruction file imports. */
export type AskImport = NonNullable<LoadMemoryInput["askApproval"]>;

type Input = Pick<
  Project,
  "environment" | "options" | "workspace" | "settings" | "addedDirectories" | "home" | "topics"
>;

/** Loads the memory tiers of a project. Without `askImport`, imports from outside the workspace are denied. */
export async function loadProjectMemory(
  project: Input,
  askImport?: AskImport,
): Promise<ProjectMemory> {
  const { options, environment, workspace, settings } = project;
  if (options.bare) return emptyMemory(project);
  // Without tiers the directories are still needed: for sessions, and to protect them from tools.
  if (!options.memory) return { ...emptyMemory(project), ...(await memoryDirectories(project)) };
  const chosen = memorySettings(settings);
  const { extraBlocks, learned } = learnedBlocks(project);
  const team = await teamMemory(project);
  const loaded = await loadMemory({
    directory: workspace.startDirectory,
    ...environment,
    settings: {
      ...chosen,
      additionalDirectories: [...chosen.additionalDirectories, ...project.addedDirectories()],
    },
    extraBlocks,
    ...team,
    ...(isInDatabase(project)
      ? { store: lazyTopicStore(async () => (await project.topics()).store) }
      : {}),
    ...(askImport === undefined ? {} : { askApproval: askImport }),
  });
  return withLearned(loaded, learned());
}

/**
 * Reads the blocks of learned memory, and remembers which generation they came from. When learning or auto-memory is off, not even the
 * code that reads them is loaded.
 */
function learnedBlocks({ environment, workspace, settings }: Input): {
  readonly extraBlocks: NonNullable<LoadMemoryInput["extraBlocks"]>;
  readonly learned: () => LearnedMemory | undefined;
} {
  const { enabled, summaryInjectionTokenLimit } = pipelineSettings(settings.values);
  const isOff = !enabled || !settings.values["memory.auto"];
  if (isOff) return { extraBlocks: [], learned: () => undefined };
  let read: LearnedMemory | undefined;
  return {
    extraBlocks: async (projectHome) => {
      const { readLearnedMemory } = await import("./learned-memory.ts");
      const forgotten = await readProjectForgotten(projectHome, { ...environment, workspace });
      read = await readLearnedMemory(projectHome, {
        maxTokens: summaryInjectionTokenLimit,
        forgotten,
        platform: environment.platform,
        workspaceRoot: workspace.root,
        configHome: userDirectories(environment).config,
      });
      return read.blocks;
    },
    learned: () => read,
  };
}

/** The code that finds team memory is loaded only for users who joined a team. */
async function teamMemory(project: Input): Promise<Pick<LoadMemoryInput, "team">> {
  if (!hasTeams(project) || !project.settings.values["memory.auto"]) return {};
  const { findTeamMemory } = await import("./team/find-team.ts");
  return { team: (projectHome) => findTeamMemory(project, projectHome) };
}

/** Adds what could not be used to the receipt, like everything else that did not reach the prompt. */
function withLearned(memory: LoadedMemory, learned: LearnedMemory | undefined): ProjectMemory {
  const notices = (learned?.problems ?? []).map(
    ({ message, parts }) => ({ code: "LEARNED_NOT_USED", message, parts }) as const,
  );
  const notes = (learned?.notes ?? []).map(
    ({ message, parts }) => ({ code: "LEARNED_FORGOTTEN", message, parts }) as const,
  );
  const receipt: Receipt = {
    ...memory.receipt,
    notices: [...memory.receipt.notices, ...notices, ...notes],
  };
  const { prefix, projectHome, memoryDirectory, activate } = memory;
  return {
    prefix,
    projectHome,
    memoryDirectory,
    activate,
    receipt,
    learned,
    // Not read here, because that makes it.
    get nonce() {
      return memory.nonce;
    },
  };
}

async function memoryDirectories({
  home,
  topics,
}: Input): Promise<Pick<ProjectMemory, "projectHome" | "memoryDirectory">> {
  const projectHome = await home();
  if (projectHome === undefined) return { projectHome: undefined, memoryDirectory: undefined };
  return { projectHome: projectHome.home, memoryDirectory: (await topics()).directory };
}

function emptyMemory({ workspace, settings }: Input): ProjectMemory {
  return {
    projectHome: undefined,
    memoryDirectory: undefined,
    prefix: "",
    receipt: {
      workspaceRoot: workspace.root,
      entries: [],
      notices: [],
      totalTokens: 0,
      ceilingTokens: settings.values["memory.cap_tokens_combined"],
    },
  };
}
