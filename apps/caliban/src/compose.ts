import { statSync } from "node:fs";
import { resolve } from "node:path";
import { expandTilde, pathStyleOf, userDirectories } from "@caliban/common";
import type { MemoryPrefix, Receipt } from "@caliban/memory";
import {
  findWorkspace,
  type LoadedMemory,
  loadMemory,
  type LoadMemoryInput,
  openProjectHome,
  openTopicStore,
  type Workspace,
} from "@caliban/memory/node";
import { memorySettings, pipelineSettings } from "@caliban/settings";
import { defaultSettings, type LoadedSettings, loadSettings } from "@caliban/settings/node";
import type { LearnedMemory } from "./agent/learned-memory.ts";
import type { Invocation } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** A workspace with the settings that hold in it. */
export interface Session {
  readonly workspace: Workspace;
  readonly settings: LoadedSettings;
}

/** The first half of the way: directory, then settings. */
export async function openSession(invocation: Invocation): Promise<Session> {
  const { host, bare } = invocation;
  const workspace = await findWorkspace(startDirectory(invocation));
  const settings = bare
    ? defaultSettings()
    : await loadSettings({ ...host, workspaceRoot: workspace.root });
  return { workspace, settings };
}

function startDirectory({ host, workspace }: Invocation): string {
  if (workspace === "") throw new UsageError("--workspace needs a directory");
  // A shell leaves the tilde of `--workspace=~/app` as it is.
  if (workspace !== undefined) return expandTilde(pathStyleOf(host.platform), workspace, host.home);
  if (host.cwd !== undefined) return host.cwd;
  throw new UsageError(
    "the current directory no longer exists; change to another one, or name one with --workspace",
  );
}

/** The prefix, and where this project's memory is kept. */
export interface SessionMemory extends MemoryPrefix {
  readonly projectHome: string | undefined;
  readonly memoryDirectory: string | undefined;
  /** What was learned from past sessions; left out where nothing of it is looked at. */
  readonly learned?: LearnedMemory | undefined;
  /** Left out when no file brings rules or instructions with it. */
  readonly activate?: LoadedMemory["activate"];
}

/** The second half: tiers, budget, prefix and receipt. Nobody is asked about imports where `askImport` is left out. */
export async function loadSessionMemory(
  invocation: Invocation,
  { workspace, settings }: Session,
  askImport?: LoadMemoryInput["askApproval"],
): Promise<SessionMemory> {
  const { host, bare, memory } = invocation;
  if (bare) return noMemory(workspace, settings);
  // The tiers are left out; the places stay what they are, for sessions and for what tools must not touch.
  if (!memory) {
    return { ...noMemory(workspace, settings), ...(await placesOf(host, { workspace, settings })) };
  }
  const chosen = memorySettings(settings);
  const { extraBlocks, learned } = learnedBlocks(host, { workspace, settings });
  const loaded = await loadMemory({
    directory: workspace.startDirectory,
    env: host.env,
    platform: host.platform,
    home: host.home,
    settings: {
      ...chosen,
      additionalDirectories: [...chosen.additionalDirectories, ...addedDirectories(invocation)],
    },
    extraBlocks,
    ...(askImport === undefined ? {} : { askApproval: askImport }),
  });
  return withLearned(loaded, learned());
}

/**
 * The blocks of what was learned, and behind them the rest of the same generation, once it was read. Where nothing is
 * learned, not even the code that would read it is loaded.
 */
function learnedBlocks(
  host: Invocation["host"],
  { workspace, settings }: Session,
): {
  readonly extraBlocks: NonNullable<LoadMemoryInput["extraBlocks"]>;
  readonly learned: () => LearnedMemory | undefined;
} {
  const { enabled, summaryInjectionTokenLimit } = pipelineSettings(settings.values);
  if (!enabled) return { extraBlocks: [], learned: () => undefined };
  let read: LearnedMemory | undefined;
  return {
    extraBlocks: async (projectHome) => {
      const { readLearnedMemory } = await import("./agent/learned-memory.ts");
      read = await readLearnedMemory(projectHome, {
        maxTokens: summaryInjectionTokenLimit,
        platform: host.platform,
        workspaceRoot: workspace.root,
        configHome: userDirectories(host).config,
      });
      return read.blocks;
    },
    learned: () => read,
  };
}

/** What could not be used is in the receipt, like all that did not reach the prompt. */
function withLearned(memory: LoadedMemory, learned: LearnedMemory | undefined): SessionMemory {
  const notices = (learned?.problems ?? []).map(
    (sentence) => ({ code: "LEARNED_NOT_USED", sentence }) as const,
  );
  const receipt: Receipt = {
    ...memory.receipt,
    notices: [...memory.receipt.notices, ...notices],
  };
  return { ...memory, receipt, learned };
}

/**
 * The directories of `--add-dir`, as full paths.
 * @throws UsageError for one that is not there: a slip would else keep the agent from files without a word
 */
export function addedDirectories({ host, additionalDirectories }: Invocation): readonly string[] {
  return additionalDirectories.map((directory) => {
    const path = resolve(
      host.cwd ?? "/",
      expandTilde(pathStyleOf(host.platform), directory, host.home),
    );
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
    throw new UsageError(`--add-dir ${directory} is not a directory that is there`);
  });
}

async function placesOf(
  { env, platform, home }: Invocation["host"],
  { workspace, settings }: Session,
): Promise<Pick<SessionMemory, "projectHome" | "memoryDirectory">> {
  const project = await openProjectHome({ env, platform, home, workspace });
  if (project === undefined) return { projectHome: undefined, memoryDirectory: undefined };
  const directory = settings.values["memory.directory"];
  const opened = await openTopicStore({ env, platform, home, workspace, directory });
  return { projectHome: project.home, memoryDirectory: opened.directory };
}

function noMemory({ root }: Workspace, { values }: LoadedSettings): SessionMemory {
  return {
    projectHome: undefined,
    memoryDirectory: undefined,
    prefix: "",
    receipt: {
      workspaceRoot: root,
      entries: [],
      notices: [],
      totalTokens: 0,
      ceilingTokens: values["memory.cap_tokens_combined"],
    },
  };
}
