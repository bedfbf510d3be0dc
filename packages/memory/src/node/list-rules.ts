import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, realPathIfThere } from "@caliban/common/node";
import type { Candidate } from "../loaded-file.ts";
import type { Notice } from "../receipt.ts";
import { MAX_RULE_FILES } from "../rules.ts";

export interface ListedRules {
  readonly candidates: readonly Candidate[];
  readonly notices: readonly Notice[];
}

/** Every Markdown file below the rule directories, in one order on every machine, as many as are read. */
export function listRules(directories: readonly string[]): ListedRules {
  const existing = directories.flatMap((directory) => realPathIfThere(directory) ?? []);
  const linked: string[] = [];
  const found = existing.flatMap((directory) => markdownBelow(directory, linked));
  const candidates = found
    .slice(0, MAX_RULE_FILES)
    .map((path) => ({ tier: "project", kind: "rule", path, isParentReal: true }) as const);
  const notices = linked.map(linkedNotice);
  if (found.length <= MAX_RULE_FILES) return { candidates, notices };
  const sentence = `There are ${found.length} rules, of which the first ${MAX_RULE_FILES} are read.`;
  return { candidates, notices: [...notices, { code: "RULES_LIMIT", sentence }] };
}

function markdownBelow(directory: string, linked: string[]): readonly string[] {
  const sorted = entriesOf(directory).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.flatMap((entry) => {
    const path = join(directory, entry.name);
    // A link to a directory is not followed: it could lead anywhere, or back.
    if (entry.isDirectory()) return markdownBelow(path, linked);
    if (entry.isSymbolicLink() && !entry.name.endsWith(".md")) linked.push(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

function linkedNotice(path: string): Notice {
  const sentence = `${path} is a link; rules behind it are not read.`;
  return { code: "RULE_DIRECTORY_SKIPPED", sentence };
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
