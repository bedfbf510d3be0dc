import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { realPathIfThere } from "@caliban/common/node";
import { isInside, type Located, realRoot } from "./locate.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

const INSTRUCTION_FILES = ["CLAUDE.md", "AGENTS.md", ".caliban.md", "CLAUDE.local.md"];

const INSTRUCTION_NAMES: ReadonlySet<string> = new Set(INSTRUCTION_FILES.map(plainName));

const GUARDED_DIRECTORIES: Readonly<Record<string, string>> = {
  ".caliban": "holds what caliban is told and allowed to do",
  ".claude": "holds what agents are told and allowed to do",
  ".git": "belongs to Git, which may run what stands in it",
  "git~1": "belongs to Git, which may run what stands in it",
};

/** Why a change of this file is asked about every time; `undefined` for any other. */
export function protectionOf(workspace: ToolWorkspace, located: Located): string | undefined {
  // As it was asked for, too: an instruction file may be a link to a file of another name.
  for (const path of [located.path, located.asked]) {
    const reason = reasonByName(workspace, path);
    if (reason !== undefined) return reason;
  }
  return reasonByPlace(workspace, located.path);
}

function reasonByName(workspace: ToolWorkspace, path: string): string | undefined {
  if (INSTRUCTION_NAMES.has(plainName(basename(path)))) return instructions(basename(path));
  for (const name of namesBelowRoot(workspace, path)) {
    const reason = GUARDED_DIRECTORIES[plainName(name)];
    if (reason !== undefined) return `${name} ${reason}.`;
  }
  return undefined;
}

/** The root may itself lie below a guarded name, as worktrees of agents do. */
function namesBelowRoot(workspace: ToolWorkspace, path: string): readonly string[] {
  const base = [realRoot(workspace), workspace.root].find((root) => isInside(root, path));
  return (base === undefined ? path : relative(base, path)).split(sep);
}

function reasonByPlace(workspace: ToolWorkspace, path: string): string | undefined {
  const root = realRoot(workspace);
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (isGitDirectory(directory)) return `${basename(directory)} ${GUARDED_DIRECTORIES[".git"]}.`;
    const link = INSTRUCTION_FILES.find((name) => realPathIfThere(join(directory, name)) === path);
    if (link !== undefined) return instructions(link);
    if (directory === root || dirname(directory) === directory) return undefined;
  }
}

function isGitDirectory(directory: string): boolean {
  const has = (name: string): boolean => existsSync(join(directory, name));
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

function instructions(name: string): string {
  return `${name} tells agents what to do, in this session and in every other.`;
}

/** What a file system that ignores case, trailing dots or invisible characters makes of a name. */
function plainName(name: string): string {
  return name
    .replace(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .normalize("NFKC")
    .toLowerCase();
}
