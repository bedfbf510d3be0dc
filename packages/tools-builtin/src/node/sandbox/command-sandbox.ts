import { type Environment } from "@caliban/common";
import { realPathIfExists, statIfExists } from "@caliban/common/node";
import { bubblewrapArguments, FILTER_DESCRIPTOR } from "../../sandbox/bubblewrap.ts";
import { sandboxEnvironment } from "../../sandbox/sandbox-environment.ts";
import { isWithin, type SandboxNetwork, type SandboxPolicy } from "../../sandbox/sandbox-policy.ts";
import { seatbeltProfile } from "../../sandbox/seatbelt.ts";
import type { DirectoryLister } from "../protection/directory-lister.ts";
import type { ProtectedRealPath } from "../protection/protected-paths.ts";
import type { SandboxSettings, ToolWorkspace } from "../tool-workspace.ts";
import { createCommandPolicy, isTooBroad } from "./command-policy.ts";
import type { AvailableSandbox } from "./find-sandbox.ts";
import { gitAccess } from "./git-access.ts";
import { createProtectedSearch, type FindProtectedEntries } from "./protected-entries.ts";
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
  /** Undoes changes of protected files. Call it when everything that the command started has ended. */
  readonly finish: () => FinishedSandbox;
}

export interface FinishedSandbox {
  readonly undone: readonly UndoneChange[];
  /** False if the workspace has too many directories to look for protected files in all of them. */
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
  readonly canWrite: boolean;
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
}

/** Creates the sandbox of a session. Its commands share a temporary directory. */
export function createCommandSandbox(input: CommandSandboxInput): CommandSandbox {
  const { workspace } = input;
  const roots = [workspace.root, ...workspace.additionalDirectories].flatMap(
    (path) => realPathIfExists(path) ?? [],
  );
  const findProtected = createProtectedSearch(input.directories);
  const session: Session = { ...input, roots, findProtected };
  return {
    canWrite: !roots.some((root) => isTooBroad(root, workspace.home)),
    prepare: (command) =>
      command.access === "workspace"
        ? prepareWritable(command, session)
        : prepareReadOnly(command, session),
  };
}

interface Session extends CommandSandboxInput {
  readonly roots: readonly string[];
  readonly findProtected: FindProtectedEntries;
}

function prepareReadOnly(command: PrepareInput, session: Session): SandboxedCommand {
  const policy = policyFor(command, session, { protectedPaths: [], git: [] });
  return {
    ...launch(policy, command, session),
    finish: () => ({ undone: [], isComplete: true }),
  };
}

function prepareWritable(command: PrepareInput, session: Session): SandboxedCommand {
  const { roots } = session;
  const git = roots.map(gitAccess);
  const search = { roots, controls: git.flatMap(({ controls }) => controls) };
  session.directories.refresh();
  const known = session.protectedPaths().map(({ path }) => path);
  const before = session.findProtected(search);
  const named = [...before.entries].filter(([, { kind }]) => kind !== "link");
  const inRoots = known
    .filter((path) => roots.some((root) => path !== root && isWithin(root, path)))
    .filter((path) => statIfExists(path) !== undefined);
  const protectedPaths = [...new Set([...named.map(([path]) => path), ...inRoots])];
  const policy = policyFor(command, session, { protectedPaths, git });
  return {
    ...launch(policy, command, session),
    finish: () => {
      session.directories.refresh();
      const after = session.findProtected(search);
      return { undone: undoProtectedChanges(before, after), isComplete: after.isComplete };
    },
  };
}

function policyFor(
  { access, readableFiles, directory = "" }: PrepareInput,
  { workspace, settings, roots, files, network }: Session,
  found: Pick<Parameters<typeof createCommandPolicy>[0], "protectedPaths" | "git">,
): SandboxPolicy {
  return createCommandPolicy({
    ...found,
    workspace,
    settings,
    access,
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
): Omit<SandboxedCommand, "finish"> {
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
  const args = bubblewrapArguments({
    policy,
    features,
    socat,
    unreadableFile: unreadable,
    filterDescriptor: filter === undefined ? undefined : FILTER_DESCRIPTOR,
    reportsStatus: !isLongRunning,
    runDirectories: RUN_DIRECTORIES.filter((directory) => statIfExists(directory) !== undefined),
  });
  const inside = sandboxEnvironment(env, policy, "/tmp");
  const started = { env: inside, reportsStatus: !isLongRunning, network };
  if (!isLongRunning || filter === undefined) return { file: path, args, filter, ...started };
  return { file: "/bin/sh", args: ["-c", WITH_FILTER, filter, path, ...args], ...started };
}
