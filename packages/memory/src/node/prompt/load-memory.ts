import { pathStyleOf, userDirectories, utf8Bytes } from "@caliban/common";
import { randomHex, realPathIfExists } from "@caliban/common/node";
import { normalizeText } from "../../markdown/normalize.ts";
import type { Approval } from "../../project/approvals.ts";
import { locateMemory, type MemoryLocations } from "../../project/locations.ts";
import type { MemoryNotice } from "../../notice.ts";
import type { ExtraBlock } from "../../prompt/candidates.ts";
import { buildPrefix, type MemoryPrefix } from "../../prompt/prefix.ts";
import type { ReadFile } from "../../prompt/prepare.ts";
import {
  type ChosenSettings,
  completeSettings,
  type MemoryFlags,
  type MemorySettings,
  readFlags,
} from "../../prompt/settings.ts";
import { approvalsPath } from "../approvals.ts";
import { resolveChosenDirectory } from "../project/claude-directory.ts";
import {
  type EnvironmentOptions,
  resolveEnvironment,
  type ResolvedEnvironment,
} from "../project/environment.ts";
import { createGitIgnoreTest } from "../project/git-ignored.ts";
import { ownIdentity } from "../project/home.ts";
import { findMemoryHome, historyDirectoryIn, type ProjectIdentity } from "../project/identity.ts";
import { findWorkspace, type Workspace } from "../project/workspace.ts";
import { type Activation, createActivation } from "./activate.ts";
import { gather } from "./gather.ts";
import {
  type ApprovalAnswer,
  createImportApprovals,
  type ImportApprovals,
} from "./import-approvals.ts";
import { readCandidates } from "./read-candidates.ts";
import { createReadProgress, type ReadContext } from "./read-context.ts";
import type { PromptStore } from "./read-store-index.ts";
import { repairIndex } from "./repair-index.ts";
import { preferOwnTopics, repairTeamIndex, repairUserIndex } from "./scoped-index.ts";

export interface LoadMemoryInput extends EnvironmentOptions {
  /** The directory to start from; its git top level is the workspace. */
  readonly directory: string;
  readonly settings?: ChosenSettings;
  /** The store of the agent's topics; files in the user's data directory if left out. */
  readonly store?: PromptStore | undefined;
  /** Finds what a team shares for the project with this home. It must not run anything: a request waits for it. */
  readonly team?: ((projectHome: string) => TeamMemory | undefined) | undefined;
  /**
   * Blocks to render after the agent's topics, and to cut before them, whether or not auto-memory is turned on. A function
   * is called with the project home; it is not called when there is none.
   */
  readonly extraBlocks?: readonly ExtraBlock[] | ReadExtraBlocks;
  /** Asks the user about a file outside the workspace. Without it the answer is no. */
  readonly askApproval?: (approval: Approval) => Promise<ApprovalAnswer>;
}

/** The topics that a team shares, as files of a directory that the caller keeps up to date. */
export interface TeamMemory {
  readonly directory?: string | undefined;
  /** What the receipt should say about it. */
  readonly notices?: readonly MemoryNotice[] | undefined;
}

type ReadExtraBlocks = (projectHome: string) => Promise<readonly ExtraBlock[]>;

export interface LoadedMemory extends MemoryPrefix {
  /** The directory of everything stored about this project; `undefined` when no home directory is known. */
  readonly projectHome: string | undefined;
  /** The directory of the agent's topics, whether or not it exists; `undefined` if they are in a store. */
  readonly memoryDirectory: string | undefined;
  /** Call it with every path a tool reads, edits or creates, and put the text next to the tool's result. */
  readonly activate: (path: string) => Promise<Activation>;
  /**
   * In every frame that `activate` returns. Tell the model in a message of the conversation that instructions in a tool
   * result count only with this nonce; anything else there is data.
   */
  readonly nonce: string;
}

/**
 * Reads every tier of a workspace and builds the prompt prefix: gather, read, prepare, budget, splice. A bad file never
 * affects the others. Nothing is written.
 *
 * @throws MemoryError `WORKSPACE_NOT_FOUND`, `INVALID_SETTINGS` or `INVALID_ENVIRONMENT`
 *
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { loadMemory } from "@caliban/memory/node";
 *
 * await writeFile("CLAUDE.md", "Use pnpm.\n");
 * const { prefix, receipt } = await loadMemory({ directory: process.cwd() });
 * console.log(`${prefix}You are a careful reviewer.`);
 * console.log(receipt.totalTokens);
 */
export async function loadMemory(input: LoadMemoryInput): Promise<LoadedMemory> {
  const start = await openWorkspace(input);
  const approvals = createImportApprovals({
    path: approvalsPath(start.environment),
    approveAll: start.flags.approveImports,
    ask: start.input.askApproval,
  });
  const context = await createReadContext(start, approvals);
  const team = findTeamMemory(start);
  const gathered = gather({ ...start, teamDirectory: team?.directory });
  const [{ files, pendingRules }, topics, blocks] = await Promise.all([
    readCandidates(context, gathered.candidates),
    readStoredTopics(start),
    readExtraBlocks(start),
  ]);
  const memory = buildPrefix({
    workspaceRoot: start.workspace.root,
    files: preferOwnTopics([...(await repairIndexIn(files, start)), ...topics, ...blocks]),
    settings: start.settings,
    notices: [
      ...start.locations.notices,
      ...start.identity.notices,
      ...(team?.notices ?? []),
      ...gathered.notices,
      ...approvals.notices(),
    ],
  });
  const nonce = createNonce();
  const activate = createActivation({
    // In the middle of a session the user is not asked: what is not approved stays out.
    context: { ...context, policy: { ...context.policy, isApproved: approvals.isApproved } },
    pendingRules,
    startDirectory: start.workspace.startDirectory,
    walkedDirectories: gathered.walkedDirectories,
    walk: start.flags.walk,
    nonce,
  });
  const { projectHome, memoryDirectory } = start.locations;
  return {
    ...memory,
    projectHome,
    memoryDirectory,
    activate,
    get nonce() {
      return nonce();
    },
  };
}

function findTeamMemory({ input, settings, locations }: Start): TeamMemory | undefined {
  const { projectHome } = locations;
  if (projectHome === undefined || !settings.autoMemory) return undefined;
  return input.team?.(projectHome);
}

/** Made on first use, because only conversations need a nonce. */
function createNonce(): () => string {
  let nonce: string | undefined;
  return () => (nonce ??= randomHex(4));
}

interface Start {
  readonly input: LoadMemoryInput;
  readonly environment: ResolvedEnvironment;
  readonly settings: MemorySettings;
  readonly flags: MemoryFlags;
  readonly workspace: Workspace;
  readonly identity: ProjectIdentity;
  readonly locations: MemoryLocations;
}

/** Validates the input and finds out which project it is about. */
async function openWorkspace(given: LoadMemoryInput): Promise<Start> {
  const input = { ...given };
  const environment = resolveEnvironment(input);
  const settings = completeSettings(input.settings);
  const flags = readFlags(environment.env);
  const workspace = await findWorkspace(input.directory);
  const identity = await ownIdentity({ ...environment, workspace });
  const directory = resolveChosenDirectory(environment, settings.directory, identity.path);
  const located = locateMemory({ ...environment, slug: identity.name, directory });
  const locations =
    input.store === undefined ? located : { ...located, memoryDirectory: undefined };
  return { input, environment, settings, flags, workspace, identity, locations };
}

async function createReadContext(
  { environment, settings, workspace }: Start,
  approvals: ImportApprovals,
): Promise<ReadContext> {
  const { config } = userDirectories(environment);
  return {
    policy: {
      style: pathStyleOf(environment.platform),
      workspaceRoot: workspace.root,
      // Not the configuration directory: a repository could import the user's settings otherwise.
      trustedDirectories: [workspace.root],
      isApproved: approvals.request,
      isGitIgnored: createGitIgnoreTest({ ...environment, workspaceRoot: workspace.root }),
    },
    home: environment.home,
    configHome: config && realPathIfExists(config),
    isExcluded: await createExcludeTest(
      [...settings.excludes, ...(settings.requestedExcludes ?? [])],
      environment.platform,
    ),
    isLocalExcluded: await createExcludeTest(settings.excludes, environment.platform),
    progress: createReadProgress(),
  };
}

/** The matcher is loaded only for users who exclude something. */
async function createExcludeTest(
  patterns: readonly string[],
  platform: string,
): Promise<(path: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { compileExcludes } = await import("../../prompt/excludes.ts");
  // As git does on file systems that do not distinguish CLAUDE.md from claude.md.
  return compileExcludes(patterns, { ignoreCase: platform === "win32" || platform === "darwin" });
}

/** Checks the index against the topic files, unless auto-memory is turned off. */
async function repairIndexIn(
  files: readonly ReadFile[],
  { environment, locations, settings }: Start,
): Promise<readonly ReadFile[]> {
  if (!settings.autoMemory) return files;
  return await Promise.all(
    files.map(async (file) => {
      const { kind, scope, isTurnedOff } = file.candidate;
      if (kind !== "index" || isTurnedOff === true) return file;
      if (scope === "user") return await repairUserIndex(file);
      if (scope === "team") return await repairTeamIndex(file);
      const home = findMemoryHome(environment, locations);
      return await repairIndex(file, home && historyDirectoryIn(home));
    }),
  );
}

/** The index of a store that is not in files. The code for it is loaded only if there is one. */
async function readStoredTopics({ input, settings }: Start): Promise<readonly ReadFile[]> {
  if (input.store === undefined) return [];
  const { readStoreIndex } = await import("./read-store-index.ts");
  return [await readStoreIndex(input.store, settings.autoMemory)];
}

async function readExtraBlocks({ input, locations }: Start): Promise<readonly ReadFile[]> {
  const { extraBlocks: given = [] } = input;
  const { projectHome } = locations;
  const blocks =
    typeof given !== "function" ? given : projectHome === undefined ? [] : await given(projectHome);
  return blocks.map(({ path, body, cut }) => ({
    candidate: { tier: "extra", kind: "guidance", path },
    source: normalizeText(body),
    fileBytes: utf8Bytes(body),
    cut,
  }));
}
