import { type Environment } from "@caliban/common";
import { realPathIfExists, statIfExists } from "@caliban/common/node";
import { bubblewrapArguments, FILTER_DESCRIPTOR } from "../../sandbox/bubblewrap.ts";
import { sandboxEnvironment, splitLoaderVariables } from "../../sandbox/sandbox-environment.ts";
import type { SandboxNetwork, SandboxPolicy } from "../../sandbox/sandbox-policy.ts";
import { seatbeltProfile } from "../../sandbox/seatbelt.ts";
import type { DirectoryLister } from "../protection/directory-lister.ts";
import type { ProtectedRealPath } from "../protection/protected-paths.ts";
import type { SandboxSettings, ToolWorkspace } from "../tool-workspace.ts";
import { type CommandPolicyInput, createCommandPolicy, isTooBroad } from "./command-policy.ts";
import type { AvailableSandbox } from "./find-sandbox.ts";
import { createProtectedSearch } from "./protected-entries.ts";
import {
  type Search,
  searchAfter,
  searchBefore,
  type SearchedWorkspace,
} from "./search-workspace.ts";
import type { SessionFiles } from "./session-files.ts";
import { type UndoneChange, undoProtectedChanges } from "./undo-changes.ts";
import { openSockets } from "./unix-sockets.ts";

/** How a program is started in the sandbox: its own command line follows these arguments. */
export interface SandboxedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Environment;
  /** Whether the sandbox reports its status on a descriptor of its own. */
  readonly reportsStatus: boolean;
  /** A file that the sandbox reads from the descriptor for the filter. */
  readonly filter?: string | undefined;
  readonly network: SandboxNetwork;
  /** What it may do with the workspace, which can be less than it asked for. */
  readonly access: PrepareInput["access"];
  /** Undoes changes of protected files. Call it when everything that the command started has ended. */
  readonly finish: () => FinishedSandbox;
}

export interface FinishedSandbox {
  readonly undone: readonly UndoneChange[];
  /** Directories that have another name now, because theirs was not valid UTF-8. */
  readonly renamed: readonly string[];
  /** False if protected files cannot be looked for in all directories of the workspace. */
  readonly isComplete: boolean;
}

interface PrepareInput {
  readonly access: "read-only" | "workspace";
  readonly env: Environment;
  /** Files that can be read although they are in a hidden directory. */
  readonly readableFiles: readonly string[];
  /** Where it starts; the start directory of the workspace by default. */
  readonly directory?: string | undefined;
  /** Whether it runs until it is ended, so that its end needs no report. */
  readonly isLongRunning?: boolean | undefined;
}

/** Confines the commands of one session. */
export interface CommandSandbox {
  /** Whether commands may get write access to the workspace. */
  readonly canWrite: () => boolean;
  readonly prepare: (input: PrepareInput) => SandboxedCommand;
}

export interface CommandSandboxInput {
  readonly workspace: ToolWorkspace;
  readonly settings: SandboxSettings;
  readonly sandbox: AvailableSandbox;
  readonly network: SandboxNetwork;
  readonly files: () => SessionFiles;
  readonly protectedPaths: () => readonly ProtectedRealPath[];
  readonly directories: DirectoryLister;
  /** The number of directories in the workspace from which on commands get no write access to it. */
  readonly maxDirectories?: number | undefined;
}

/** Limits the time before and after a command. */
const MAX_DIRECTORIES = 100_000;

/** Creates the sandbox of a session. Its commands share a temporary directory. */
export function createCommandSandbox(input: CommandSandboxInput): CommandSandbox {
  const { workspace } = input;
  const roots = [workspace.root, ...workspace.additionalDirectories].flatMap(
    (path) => realPathIfExists(path) ?? [],
  );
  const { maxDirectories = MAX_DIRECTORIES } = input;
  const findProtected = createProtectedSearch(input.directories);
  const session: Session = { ...input, roots, findProtected, maxDirectories };
  const isBroad = roots.some((root) => isTooBroad(root, workspace.home));
  let isSearchable = true;
  return {
    canWrite: () => {
      if (!isSearchable) isSearchable = searchBefore(session).before.isComplete;
      return !isBroad && isSearchable;
    },
    prepare: (command) => {
      if (command.access === "read-only" || isBroad) return prepareReadOnly(command, session);
      const search = searchBefore(session);
      isSearchable = search.before.isComplete;
      return isSearchable
        ? prepareWritable(command, session, search)
        : { ...prepareReadOnly(command, session), finish: () => UNCHECKED };
    },
  };
}

type Session = CommandSandboxInput & SearchedWorkspace;

const UNCHANGED: FinishedSandbox = { undone: [], renamed: [], isComplete: true };
const UNCHECKED: FinishedSandbox = { ...UNCHANGED, isComplete: false };

function prepareReadOnly(command: PrepareInput, session: Session): SandboxedCommand {
  const policy = policyFor(command, session, {
    access: "read-only",
    protectedPaths: [],
    git: [],
  });
  return {
    ...launch(policy, command, session),
    access: "read-only",
    finish: () => UNCHANGED,
  };
}

function prepareWritable(
  command: PrepareInput,
  session: Session,
  search: Search,
): SandboxedCommand {
  const { git, before, existing } = search;
  const named = [...before.entries].filter(([, { kind }]) => kind !== "link");
  const protectedPaths = [...new Set([...named.map(([path]) => path), ...existing])];
  const policy = policyFor(command, session, { access: "workspace", protectedPaths, git });
  return {
    ...launch(policy, command, session),
    access: "workspace",
    finish: () => {
      const { after, renamed } = searchAfter(session, search);
      const undone = undoProtectedChanges(before, after);
      return { undone, renamed, isComplete: after.isComplete };
    },
  };
}

function policyFor(
  { readableFiles, directory = "" }: PrepareInput,
  { workspace, settings, roots, files, network }: Session,
  found: Pick<CommandPolicyInput, "access" | "protectedPaths" | "git">,
): SandboxPolicy {
  return createCommandPolicy({
    ...found,
    workspace,
    settings,
    roots,
    readableFiles,
    network,
    sockets: workspace.platform === "linux" ? openSockets() : [],
    temporaryDirectory: files().temporary,
    directory: directory === "" ? workspace.startDirectory : directory,
  });
}

/** Directories below `/run` that some distributions keep their programs in. */
const RUN_DIRECTORIES = ["/run/current-system", "/run/wrappers", "/run/opengl-driver"];

/** Opens the filter for a program that others start, with the usual descriptors only. */
const WITH_FILTER = `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`;

function launch(
  policy: SandboxPolicy,
  { env, isLongRunning = false }: PrepareInput,
  { sandbox, files }: Session,
): Omit<SandboxedCommand, "finish" | "access"> {
  const { network } = policy;
  if (sandbox.kind === "seatbelt") {
    const temporary = policy.temporaryDirectory;
    return {
      file: sandbox.path,
      args: ["-p", seatbeltProfile(policy)],
      env: sandboxEnvironment(env, policy, temporary),
      reportsStatus: false,
      network,
    };
  }
  const { path, features, socat } = sandbox;
  const { unreadable, filter } = files();
  const { launcher, inside } = splitLoaderVariables(sandboxEnvironment(env, policy, "/tmp"));
  const args = bubblewrapArguments({
    policy,
    variables: inside,
    features,
    socat,
    unreadableFile: unreadable,
    filterDescriptor: filter === undefined ? undefined : FILTER_DESCRIPTOR,
    reportsStatus: !isLongRunning,
    runDirectories: RUN_DIRECTORIES.filter((directory) => statIfExists(directory) !== undefined),
  });
  const started = { env: launcher, reportsStatus: !isLongRunning, network };
  if (!isLongRunning || filter === undefined) return { file: path, args, filter, ...started };
  return { file: "/bin/sh", args: ["-c", WITH_FILTER, filter, path, ...args], ...started };
}
