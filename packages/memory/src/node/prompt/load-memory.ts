import { dirname, join } from "node:path";
import { pathStyleOf, userDirectories } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { MAX_WALKED_DIRECTORIES, walkedDirectories, autoCandidate, discover, type ExtraBlock, extraFiles } from "../../prompt/candidates.ts";
import type { Approval } from "../../project/approvals.ts";

import { MemoryError } from "../../errors.ts";
import type { Candidate, LoadedFile } from "../../prompt/loaded-file.ts";
import { type MemoryLocations, locateMemory } from "../../project/locations.ts";
import { buildPrefix, type MemoryPrefix } from "../../prompt/prefix.ts";
import type { MemoryNotice } from "../../prompt/receipt.ts";
import { type ChosenSettings, completeSettings, type MemorySettings, type MemorySwitches, readSwitches } from "../../prompt/settings.ts";

import { type Activation, createActivation } from "./activate.ts";
import type { ApprovalAnswer } from "./read-allowed-file.ts";
import { type ApprovalStore, createApprovalStore } from "../approvals.ts";
import { chosenDirectory } from "../project/claude-directory.ts";
import { createFileLoader, type FileLoader } from "./read-candidates.ts";
import { findWorkspace, type Workspace } from "../project/workspace.ts";
import { createGitIgnoreTest } from "../project/git-ignored.ts";
import { type ListedRules, listRules, type RuleDirectory } from "./list-rules.ts";
import { type EnvironmentOptions, resolveEnvironment } from "../project/environment.ts";
import { repairIndex } from "./repair-index.ts";
import { historyDirectoryIn, findMemoryHome, identifyProject, type ResolvedEnvironment } from "../project/identity.ts";

export interface LoadMemoryInput extends EnvironmentOptions {
  /** The directory to start from; its git top level is the workspace. */
  readonly directory: string;
  readonly settings?: ChosenSettings;
  /**
   * Blocks to render after the agent's notes, and to cut before them. A function gets the project home,
   * and is not called where there is none or the notes are turned off.
   */
  readonly extraBlocks?: readonly ExtraBlock[] | ReadExtraBlocks;
  /** Asks a person about a file outside the workspace. Without it the answer is no. */
  readonly askApproval?: (approval: Approval) => Promise<ApprovalAnswer>;
}

type PlacedInput = LoadMemoryInput & ResolvedEnvironment;

/** Finds the blocks that a program keeps beside a project's notes. */
export type ReadExtraBlocks = (projectHome: string) => Promise<readonly ExtraBlock[]>;

export interface LoadedMemory extends MemoryPrefix {
  /** What is kept about this project; `undefined` when no home directory is known. */
  readonly projectHome: string | undefined;
  /** Where the agent's notes are, or would be. */
  readonly memoryDirectory: string | undefined;
  /** To be called with every path a tool reads, edits or creates: what it returns goes beside the result. */
  readonly activate: (path: string) => Promise<Activation>;
}

/** Reads every tier of a workspace and makes the prompt prefix. One bad file costs that file only. */
export async function loadMemory(given: LoadMemoryInput): Promise<LoadedMemory> {
  const input: PlacedInput = { ...given, ...resolveEnvironment(given) };
  const settings = completeSettings(input.settings);
  const switches = readSwitches(input.env);
  const workspace = await findWorkspace(input.directory);
  const approvals = createApprovalStore(approvalsPath(input));
  const phase: Phase = { isLoading: true, unkept: [] };
  const start: Start = { input, settings, switches, workspace };
  const identity = await identifyProject(input, workspace);
  const loader = await createLoader(start, approvals, phase);
  const rules = switches.walk ? listRules(ruleDirectories(input, workspace)) : NO_RULES;
  const chosen = await chosenDirectory(input, settings.directory, identity.path);
  const places = locateMemory({ ...input, slug: identity.name, directory: chosen });
  const directories = walkedDirectories({
    startDirectory: workspace.startDirectory,
    workspaceRoot: workspace.root,
    home: input.home === undefined ? undefined : realPathIfExists(input.home),
    parentOf: dirname,
  });
  const files = await loadTiers({ ...start, places, rules }, loader, directories);
  phase.isLoading = false;
  const prefix = buildPrefix({
    workspaceRoot: workspace.root,
    files,
    settings,
    notices: [
      ...places.notices,
      ...identity.notices,
      ...rules.notices,
      ...walkNotices(workspace, directories),
      ...approvalNotices(approvals),
      ...phase.unkept.map((sentence) => ({ code: "APPROVAL_NOT_KEPT", sentence }) as const),
    ],
  });
  const activate = createActivation({
    loader,
    workspaceRoot: workspace.root,
    startDirectory: workspace.startDirectory,
    walkedDirectories: directories,
    style: pathStyleOf(input.platform),
    walk: switches.walk,
  });
  const { projectHome, memoryDirectory: memoryDirectory } = places;
  return { ...prefix, projectHome, memoryDirectory, activate };
}

/** What changes while a load goes on. */
interface Phase {
  isLoading: boolean;
  /** Sentences about approvals that could not be stored. */
  readonly unkept: string[];
}

interface Start {
  readonly input: PlacedInput;
  readonly settings: MemorySettings;
  readonly switches: MemorySwitches;
  readonly workspace: Workspace;
}

interface Place extends Start {
  readonly places: MemoryLocations;
  readonly rules: ListedRules;
}

async function loadTiers(
  { input, settings, switches, workspace, places, rules }: Place,
  loader: FileLoader,
  directories: readonly string[],
): Promise<readonly LoadedFile[]> {
  const style = pathStyleOf(input.platform);
  const additionalDirectories = switches.additionalInstructions
    ? settings.additionalDirectories
    : [];
  const candidates = discover({
    places,
    workspaceRoot: workspace.root,
    walkedDirectories: directories,
    additionalDirectories,
    walk: switches.walk,
    style,
  });
  const auto = autoCandidate({ places, style }, settings.autoMemory);
  const waiting: readonly Candidate[] = [
    ...candidates,
    ...rules.candidates,
    ...(auto !== undefined && !("candidate" in auto) ? [auto] : []),
  ];
  const [files, blocks] = await Promise.all([
    loader.loadAll(waiting),
    extraBlocks(input, settings, places),
  ]);
  const loaded = await mendLast(files, input, places);
  const turnedOff = auto !== undefined && "candidate" in auto ? [auto] : [];
  return [...loaded, ...turnedOff, ...extraFiles(blocks, settings.autoMemory)];
}

async function extraBlocks(
  { extraBlocks: given = [] }: LoadMemoryInput,
  { autoMemory }: MemorySettings,
  { projectHome }: MemoryLocations,
): Promise<readonly ExtraBlock[]> {
  if (typeof given !== "function") return given;
  return autoMemory && projectHome !== undefined ? await given(projectHome) : [];
}

/** The index is held against the topics; it is the last of what is loaded, where there is one. */
async function mendLast(
  files: readonly LoadedFile[],
  input: ResolvedEnvironment,
  places: MemoryLocations,
): Promise<readonly LoadedFile[]> {
  const last = files.at(-1);
  if (last?.candidate.kind !== "index") return files;
  const home = await findMemoryHome(input, places);
  return [...files.slice(0, -1), await repairIndex(last, home && historyDirectoryIn(home))];
}

const NO_RULES: ListedRules = { candidates: [], notices: [] };

/** Broad to narrow: the person's own, then the repository's. */
function ruleDirectories(input: ResolvedEnvironment, { root }: Workspace): readonly RuleDirectory[] {
  const { config } = userDirectories(input);
  const own = config === undefined ? [] : [join(config, "rules")];
  const projects = [join(root, ".claude", "rules"), join(root, ".caliban", "rules")];
  return [
    ...own.map((directory) => ({ directory, within: undefined, isOperators: true })),
    ...projects.map((directory) => ({ directory, within: root, isOperators: false })),
  ];
}

async function createLoader(
  { input, settings, switches, workspace }: Start,
  approvals: ApprovalStore,
  phase: Phase,
): Promise<FileLoader> {
  const { config } = userDirectories(input);
  const configHome = config && realPathIfExists(config);
  const ask = oneQuestionAtATime(input.askApproval ?? refuse);
  const askApproval = async (approval: Approval): Promise<ApprovalAnswer> => {
    if (switches.approveImports) return "once";
    // In mid-session nobody is asked: what is not approved stays out.
    if (!phase.isLoading) return "no";
    const answer = await ask(approval);
    if (answer === "always") await keepApproval(approvals, approval, phase.unkept);
    return answer;
  };
  return createFileLoader({
    rules: {
      style: pathStyleOf(input.platform),
      workspaceRoot: workspace.root,
      // Not the config home: a repository could else have the person's settings read out.
      trustedDirectories: [workspace.root],
      isApproved: approvals.isApproved,
      askApproval,
      isGitIgnored: createGitIgnoreTest({
        workspaceRoot: workspace.root,
        env: input.env,
        home: input.home,
      }),
    },
    home: input.home,
    configHome,
    isExcluded: await excludeTest(settings.excludes, input.platform),
  });
}

async function refuse(): Promise<ApprovalAnswer> {
  return "no";
}

type Ask = (approval: Approval) => Promise<ApprovalAnswer>;

/** Files are read at once, but a person answers one question after the other, and none twice. */
function oneQuestionAtATime(ask: Ask): Ask {
  const answers = new Map<string, Promise<ApprovalAnswer>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (approval) => {
    const key = `${approval.subject}\0${approval.sha256}`;
    const answer = answers.get(key) ?? last.then(() => ask(approval));
    answers.set(key, answer);
    last = answer.catch(() => undefined);
    return await answer;
  };
}

/** An approval that cannot be kept still holds for this run; that it was not kept is said. */
async function keepApproval(
  approvals: ApprovalStore,
  approval: Approval,
  unkept: string[],
): Promise<void> {
  try {
    await approvals.add(approval);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    unkept.push(`The approval of ${approval.subject} was not kept: ${error.message}.`);
  }
}

/** Where approvals are kept; `undefined` when no home directory is known. */
export function approvalsPath(input: ResolvedEnvironment): string | undefined {
  const { state } = userDirectories(input);
  return state && join(state, "approvals.json");
}

function walkNotices(
  { root, untrustedRoot: foreignRoot }: Workspace,
  directories: readonly string[],
): readonly MemoryNotice[] {
  if (foreignRoot !== undefined) {
    const sentence = `${foreignRoot} is a repository of somebody else's, so it is not taken for the workspace; start in it to use it.`;
    return [{ code: "FOREIGN_REPOSITORY", message: sentence }];
  }
  if (directories.length < MAX_WALKED_DIRECTORIES || directories[0] === root) return [];
  const sentence = `The walk went up ${MAX_WALKED_DIRECTORIES} directories and stopped; files above ${directories[0]} are not read.`;
  return [{ code: "WALK_LIMIT", message: sentence }];
}

function approvalNotices(approvals: ApprovalStore): readonly MemoryNotice[] {
  if (!approvals.wasDamaged()) return [];
  const sentence =
    "The file of approvals is damaged, so nothing outside the workspace is approved; mend it or move it away.";
  return [{ code: "APPROVALS_DAMAGED", message: sentence }];
}

/** The matcher is loaded only for those who exclude something. */
async function excludeTest(
  patterns: readonly string[],
  platform: string,
): Promise<(path: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { compileExcludes } = await import("../../prompt/excludes.ts");
  // As git does where the file system does not tell CLAUDE.md from claude.md.
  return compileExcludes(patterns, { ignoreCase: platform === "win32" || platform === "darwin" });
}
