import { type Dirent, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import type { Candidate } from "../../prompt/loaded-file.ts";
import type { MemoryNotice } from "../../prompt/receipt.ts";
import { MAX_RULE_FILES } from "../../prompt/rules.ts";

const MAX_RULE_DIRECTORIES = 2_000;

export interface ListedRules {
  readonly candidates: readonly Candidate[];
  readonly notices: readonly MemoryNotice[];
}

/** A directory of rules, and the real directory it must lie in: a link of a repository could lead anywhere. */
export interface RuleDirectory {
  readonly directory: string;
  readonly within: string | undefined;
  /** Whether it is the person's own. */
  readonly isUserOwned: boolean;
}

/** Every Markdown file below the rule directories, in one order on every machine, as many as are read. */
export function listRules(directories: readonly RuleDirectory[]): ListedRules {
  const run: Run = { linked: [], directoriesLeft: MAX_RULE_DIRECTORIES };
  const found = directories.flatMap(({ directory, within, isUserOwned: isOperators }): readonly Candidate[] => {
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
      isParentReal: true,
      isOperators,
    }));
  });
  const notices = [...run.linked.map(linkedNotice), ...limitNotices(found.length, run)];
  return { candidates: found.slice(0, MAX_RULE_FILES), notices };
}

interface Run {
  readonly linked: string[];
  directoriesLeft: number;
}

function limitNotices(files: number, { directoriesLeft }: Run): readonly MemoryNotice[] {
  if (files <= MAX_RULE_FILES && directoriesLeft > 0) return [];
  const sentence = `There are ${files} rules or more, of which the first ${MAX_RULE_FILES} are read, from ${MAX_RULE_DIRECTORIES} directories at most.`;
  return [{ code: "RULES_LIMIT", message: sentence }];
}

function markdownBelow(directory: string, run: Run): readonly string[] {
  if (run.directoriesLeft <= 0) return [];
  run.directoriesLeft -= 1;
  const sorted = entriesOf(directory).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((entry) => {
    const path = join(directory, entry.name);
    // A link to a directory is not followed: it could lead anywhere, or back.
    if (entry.isDirectory()) return markdownBelow(path, run);
    if (entry.isSymbolicLink() && !entry.name.endsWith(".md")) run.linked.push(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

function linkedNotice(path: string): MemoryNotice {
  const sentence = `${path} is a link; rules behind it are not read.`;
  return { code: "RULE_DIRECTORY_SKIPPED", message: sentence };
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    // No rules here, or none that can be read.
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
