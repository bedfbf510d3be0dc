import { join } from "node:path";
import { listNames, realPathIfExists, statIfExists } from "@caliban/common/node";
import { HIDDEN_IN_SYSTEM, hiddenPathsOf, isHostKey } from "../../sandbox/hidden-paths.ts";
import {
  accessTo,
  isWithin,
  type PathRule,
  type SandboxNetwork,
  type SandboxPolicy,
  sortRules,
} from "../../sandbox/sandbox-policy.ts";
import type { SandboxSettings, ToolWorkspace } from "../tool-workspace.ts";
import type { GitAccess } from "./git-access.ts";

/** What a policy is made of, besides the settings. */
export interface CommandPolicyInput {
  readonly workspace: ToolWorkspace;
  readonly settings: SandboxSettings;
  /** Whether the workspace can be written. */
  readonly access: "read-only" | "workspace";
  /** The real paths of the workspace and the added directories. */
  readonly roots: readonly string[];
  /** Files that can be read although they are in a hidden directory. */
  readonly readableFiles: readonly string[];
  /** Real paths below the roots that cannot be changed. */
  readonly protectedPaths: readonly string[];
  readonly git: readonly GitAccess[];
  readonly sockets: readonly string[];
  readonly temporaryDirectory: string;
  /** Where the command starts. */
  readonly directory: string;
  readonly network: SandboxNetwork;
}

/** Decides what a command may read and write. */
export function createCommandPolicy(input: CommandPolicyInput): SandboxPolicy {
  const { access, roots, temporaryDirectory, directory, network } = input;
  const rules = sortRules([
    ...hiddenRules(input),
    ...roots.map((path) => ruleFor(path, access === "workspace" ? "write" : "read")),
    ...pathRules(input.settings.writablePaths, "write"),
    ...pathRules([...(input.settings.readablePaths ?? []), ...input.readableFiles], "read"),
    ...(access === "workspace" ? protectionRules(input) : []),
  ]);
  return {
    rules: [...rules, ...socketRules(input.sockets, rules)],
    protectedRoots: access === "workspace" ? roots : [],
    temporaryDirectory,
    directory: realPathIfExists(directory) ?? directory,
    network,
  };
}

/** Whether a directory holds more than a project, so that writing to it cannot be left to a command. */
export function isTooBroad(root: string, home: string | undefined): boolean {
  const realHome = home === undefined ? undefined : (realPathIfExists(home) ?? home);
  return root === "/" || (realHome !== undefined && isWithin(root, realHome));
}

function hiddenRules({ workspace, settings }: CommandPolicyInput): readonly PathRule[] {
  const { home, env, memoryDirectory } = workspace;
  const hostKeys = listNames("/etc/ssh").filter(isHostKey);
  return pathRules(
    [
      ...hiddenPathsOf(home, env),
      ...HIDDEN_IN_SYSTEM,
      ...hostKeys.map((name) => join("/etc/ssh", name)),
      ...(settings.hiddenPaths ?? []),
      ...(memoryDirectory === undefined ? [] : [memoryDirectory]),
    ],
    "hidden",
  );
}

/** Rules for the paths that exist, by their real paths: a rule for a link would be one for its target. */
function pathRules(
  paths: readonly string[] | undefined,
  access: PathRule["access"],
): readonly PathRule[] {
  const real = (paths ?? []).flatMap((path) => realPathIfExists(path) ?? []);
  return [...new Set(real)].map((path) => ruleFor(path, access));
}

function ruleFor(path: string, access: PathRule["access"]): PathRule {
  return { path, kind: statIfExists(path)?.isDirectory() === true ? "directory" : "file", access };
}

/** Makes protected paths read-only. The directories above them must stay where they are, so each is a mount of its own. */
function protectionRules({ roots, protectedPaths, git }: CommandPolicyInput): readonly PathRule[] {
  const gitRules = git.flatMap(({ rules }) => rules);
  const outermost = protectedPaths.filter(
    (path) => !protectedPaths.some((other) => other !== path && isWithin(other, path)),
  );
  const inRoots = outermost.filter((path) => !gitRules.some((rule) => isWithin(rule.path, path)));
  const passages = new Set(inRoots.flatMap((path) => directoriesBetween(roots, path)));
  return [
    ...[...passages].map((path) => ruleFor(path, "write")),
    ...gitRules,
    ...inRoots.map((path) => ruleFor(path, "read")),
  ];
}

/** The directories below a root that lead to a path. */
function directoriesBetween(roots: readonly string[], path: string): readonly string[] {
  const root = roots.findLast((directory) => directory !== path && isWithin(directory, path));
  if (root === undefined) return [];
  const parts = path
    .slice(root.length + (root === "/" ? 0 : 1))
    .split("/")
    .slice(0, -1);
  return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)));
}

/** Hides sockets of services, which could otherwise be asked to run something. Those in writable directories are usable. */
function socketRules(sockets: readonly string[], rules: readonly PathRule[]): readonly PathRule[] {
  return sockets.flatMap((socket) => {
    const path = realPathIfExists(socket);
    if (path === undefined || accessTo(path, rules) !== "read") return [];
    return [{ path, kind: "file", access: "hidden" } as const];
  });
}
