import { join } from "node:path";
import { type EnforcedRule, parsePermissionRule } from "@caliban/agent-core";
import { abbreviateHome, pathStyleOf, userDirectories } from "@caliban/common";
import { readTextFile, statIfExists } from "@caliban/common/node";
import { resolveProjectPath, type Workspace } from "@caliban/memory/node";
import type { Host } from "../host.ts";
import { isUsageError, UsageError } from "../usage-error.ts";
import {
  type EnforcedEntry,
  type EnforcedEntries,
  NO_ENTRIES,
  parseEnforcedFile,
} from "./enforced-file.ts";

/** What decides where the file is and which of its rules apply. */
export interface EnforcedLocation {
  readonly environment: Pick<Host, "env" | "platform" | "home" | "native">;
  readonly workspace: Workspace;
}

// Enforced rules do not depend on memory, settings or the repository, so nothing but this file decides about them.
const ENFORCED_FILE = "enforced.json";

const MAX_BYTES = 4 * 1024 * 1024;

/** Where enforced rules are stored; `undefined` when no home directory is known. */
export function enforcedPath({
  environment,
}: Pick<EnforcedLocation, "environment">): string | undefined {
  const { config } = userDirectories(environment);
  return config && join(config, ENFORCED_FILE);
}

/**
 * Reads every enforced rule of the user.
 * @throws UsageError that names the file and the line if it is damaged: nothing may run as if there were no rules
 */
export function readEnforced(location: Pick<EnforcedLocation, "environment">): EnforcedEntries {
  const path = enforcedPath(location);
  const file = path === undefined ? undefined : readTextFile(path, MAX_BYTES);
  if (path === undefined || file === undefined || file.kind === "missing") return NO_ENTRIES;
  if (file.kind !== "text") throw damaged(location, path, file.message);
  if (file.readBytes < file.fileBytes) throw damaged(location, path, "it is larger than 4 MB");
  const parsed = parseEnforcedFile(file.text);
  if ("entries" in parsed) return parsed;
  const where = parsed.line === undefined ? path : `${path}:${parsed.line}`;
  throw damaged(location, where, parsed.problem);
}

function damaged(
  { environment: { platform, home } }: Pick<EnforcedLocation, "environment">,
  where: string,
  problem: string,
): UsageError {
  const shown = abbreviateHome(pathStyleOf(platform), where, home);
  return new UsageError(
    `${shown}: ${problem}. It has your enforced rules, so nothing runs until it is fixed or removed.`,
  );
}

/** The rules of this project and those for every project, for the permission gate. */
export function enforcedRules(location: EnforcedLocation): readonly EnforcedRule[] {
  return applicableEntries(location, readEnforced(location).entries).flatMap((entry) => {
    const parsed = parsePermissionRule(entry.rule);
    const { effect, memory, reason } = entry;
    const source = `enforced memory ${memory}`;
    return "rule" in parsed ? [{ ...parsed.rule, effect, memory, reason, source }] : [];
  });
}

/** The entries that apply in a workspace. */
export function applicableEntries(
  { workspace }: Pick<EnforcedLocation, "workspace">,
  entries: readonly EnforcedEntry[],
): readonly EnforcedEntry[] {
  // Most users have none, and the path of a linked worktree takes several reads.
  if (entries.length === 0) return entries;
  // The root as well: a `.git` file that appears in it must not make it another project.
  const paths = new Set([workspace.root, resolveProjectPath(workspace).path]);
  return entries.filter(({ project }) => project === undefined || paths.has(project));
}

/**
 * Follows the rules while a conversation runs, because the user can add one at any time. If the file is damaged
 * meanwhile, the rules stay as they were.
 */
export function followEnforcedRules(
  location: EnforcedLocation,
  start: readonly EnforcedRule[],
): () => readonly EnforcedRule[] {
  const path = enforcedPath(location);
  const fingerprint = (): string => {
    const stats = path === undefined ? undefined : statIfExists(path);
    return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  };
  let known = fingerprint();
  let rules = start;
  return () => {
    const current = fingerprint();
    // Lifting the last rule leaves a file. If there is none, something else removed it.
    if (current === known || current === "") return rules;
    try {
      rules = enforcedRules(location);
      known = current;
    } catch (error) {
      if (!isUsageError(error)) throw error;
    }
    return rules;
  };
}
