import { dirname, join, sep } from "node:path";
import { pathStyleOf, userDirectories } from "@caliban/common";
import { listEntries, realPathIfExists, statIfExists } from "@caliban/common/node";
import type { MemoryLocations } from "../../project/locations.ts";
import {
  type Candidate,
  gatherCandidates,
  MAX_WALKED_DIRECTORIES,
  walkedDirectories,
} from "../../prompt/candidates.ts";
import type { MemoryNotice } from "../../notice.ts";
import { MAX_RULE_FILES } from "../../prompt/rules.ts";
import type { MemoryFlags, MemorySettings } from "../../prompt/settings.ts";
import type { ResolvedEnvironment } from "../project/environment.ts";
import type { Workspace } from "../project/workspace.ts";

const MAX_RULE_DIRECTORIES = 2_000;

export interface GatherInput {
  readonly environment: ResolvedEnvironment;
  readonly settings: MemorySettings;
  readonly flags: MemoryFlags;
  readonly workspace: Workspace;
  readonly locations: MemoryLocations;
  readonly teamDirectory: string | undefined;
}

export interface Gathered extends ListedRules {
  /** The directories whose instruction files are among the candidates. */
  readonly walkedDirectories: readonly string[];
}

/** Lists every file to consider for the prompt. Only directories are read. */
export function gather(input: GatherInput): Gathered {
  const { environment, settings, flags, workspace, locations } = input;
  const rules = flags.walk ? listRules(ruleDirectories(input)) : NO_RULES;
  const directories = walkedDirectories({
    startDirectory: workspace.startDirectory,
    workspaceRoot: workspace.root,
    home: environment.home === undefined ? undefined : realPathIfExists(environment.home),
    parentOf: dirname,
  });
  const candidates = gatherCandidates({
    locations,
    workspaceRoot: workspace.root,
    walkedDirectories: directories,
    additionalDirectories: flags.additionalInstructions ? settings.additionalDirectories : [],
    rules: rules.candidates,
    walk: flags.walk,
    autoMemory: settings.autoMemory,
    userMemory: userMemoryState(input),
    teamDirectory: input.teamDirectory,
    teamMemory: settings.teamMemory,
    style: pathStyleOf(environment.platform),
  });
  const notices = [...rules.notices, ...walkNotices(workspace, directories)];
  return { candidates, walkedDirectories: directories, notices };
}

/** One stat, because most users have no such memory and a start must not wait for it. */
function userMemoryState({ settings, locations }: GatherInput): "on" | "off" | "absent" {
  const { userMemoryDirectory: directory } = locations;
  if (!settings.autoMemory || directory === undefined) return "absent";
  if (statIfExists(directory) === undefined) return "absent";
  return settings.userMemory ? "on" : "off";
}

function walkNotices(
  { root, untrustedRoot }: Workspace,
  directories: readonly string[],
): readonly MemoryNotice[] {
  if (untrustedRoot !== undefined) {
    const message = `${untrustedRoot} is a repository that another user owns, so it is not used as the workspace. Start in it to use it.`;
    return [{ code: "FOREIGN_REPOSITORY", message }];
  }
  if (directories.length < MAX_WALKED_DIRECTORIES || directories[0] === root) return [];
  const message = `Stopped after ${MAX_WALKED_DIRECTORIES} directories; files above ${directories[0]} are not read.`;
  return [{ code: "WALK_LIMIT", message }];
}

interface ListedRules {
  readonly candidates: readonly Candidate[];
  readonly notices: readonly MemoryNotice[];
}

const NO_RULES: ListedRules = { candidates: [], notices: [] };

/** Broadest first: the user's own rules, then the repository's. */
function ruleDirectories({ environment, workspace }: GatherInput): readonly RuleDirectory[] {
  const { config } = userDirectories(environment);
  const { root } = workspace;
  const own = config === undefined ? [] : [join(config, "rules")];
  const projects = [join(root, ".claude", "rules"), join(root, ".caliban", "rules")];
  return [
    ...own.map((directory) => ({ directory, within: undefined, isUserOwned: true })),
    ...projects.map((directory) => ({ directory, within: root, isUserOwned: false })),
  ];
}

/** A directory of rules, and the real directory it must be in: a link in a repository could lead anywhere. */
interface RuleDirectory {
  readonly directory: string;
  readonly within: string | undefined;
  readonly isUserOwned: boolean;
}

/** Lists every Markdown file below the rule directories, in the same order on every machine, up to the limit. */
function listRules(directories: readonly RuleDirectory[]): ListedRules {
  const run: Run = { linked: [], directoriesLeft: MAX_RULE_DIRECTORIES };
  const found = directories.flatMap(({ directory, within, isUserOwned }): readonly Candidate[] => {
    const real = realPathIfExists(directory);
    if (real === undefined) return [];
    if (within !== undefined && !real.startsWith(`${within}${sep}`)) {
      run.linked.push(directory);
      return [];
    }
    return markdownBelow(real, run).map((path) => ({
      tier: "project",
      kind: "rule",
      path,
      hasRealParent: true,
      isUserOwned,
    }));
  });
  const notices = [...run.linked.map(linkNotice), ...limitNotices(found.length, run)];
  return { candidates: found.slice(0, MAX_RULE_FILES), notices };
}

interface Run {
  readonly linked: string[];
  directoriesLeft: number;
}

function markdownBelow(directory: string, run: Run): readonly string[] {
  if (run.directoriesLeft <= 0) return [];
  run.directoriesLeft -= 1;
  const sorted = listEntries(directory).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((entry) => {
    const path = join(directory, entry.name);
    // A link to a directory is not followed: it could lead anywhere, or back.
    if (entry.isDirectory()) return markdownBelow(path, run);
    if (entry.isSymbolicLink() && !entry.name.endsWith(".md")) run.linked.push(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

function linkNotice(path: string): MemoryNotice {
  const message = `${path} is a symbolic link, so the rules in it are not read.`;
  return { code: "RULE_DIRECTORY_SKIPPED", message };
}

function limitNotices(fileCount: number, { directoriesLeft }: Run): readonly MemoryNotice[] {
  if (fileCount <= MAX_RULE_FILES && directoriesLeft > 0) return [];
  const message = `Found at least ${fileCount} rules. Only the first ${MAX_RULE_FILES} are read, from at most ${MAX_RULE_DIRECTORIES} directories.`;
  return [{ code: "RULES_LIMIT", message }];
}
