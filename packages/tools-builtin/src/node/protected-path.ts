import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { realPathIfThere } from "@caliban/common/node";
import type { FileSession } from "./file-session.ts";
import { isInside, type Located, realRoot } from "./locate.ts";
import { guardedReason, instructionReason, STEERING_NAMES } from "./protected-names.ts";
import type { ToolWorkspace } from "./tool-workspace.ts";

/** Why a change of this file is asked about every time; `undefined` for any other. */
export function protectionOf(
  { workspace, protectedPlaces }: Pick<FileSession, "workspace" | "protectedPlaces">,
  located: Located,
): string | undefined {
  // As it was asked for, too: an instruction file may be a link to a file of another name.
  for (const path of [located.path, located.asked]) {
    const reason = reasonByName(workspace, path);
    if (reason !== undefined) return reason;
  }
  return (
    reasonByPlace(workspace, located.path) ??
    protectedPlaces().find(({ path }) => isInside(path, located.path))?.reason
  );
}

function reasonByName(workspace: ToolWorkspace, path: string): string | undefined {
  const name = path.split(sep).slice(-2).join("/");
  return instructionReason(name) ?? guardedReason(nameBelowRoot(workspace, path));
}

/** The root may itself lie below a guarded name, as worktrees of agents do. */
function nameBelowRoot(workspace: ToolWorkspace, path: string): string {
  const base = [realRoot(workspace), workspace.root].find((root) => isInside(root, path));
  return (base === undefined ? path : relative(base, path)).split(sep).join("/");
}

function reasonByPlace(workspace: ToolWorkspace, path: string): string | undefined {
  const root = realRoot(workspace);
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (isGitDirectory(directory)) {
      return guardedReason(".git")?.replace(".git", () => basename(directory));
    }
    const link = STEERING_NAMES.find((name) => realPathIfThere(join(directory, name)) === path);
    if (link !== undefined) return instructionReason(link);
    if (directory === root || dirname(directory) === directory) return undefined;
  }
}

function isGitDirectory(directory: string): boolean {
  const has = (name: string): boolean => existsSync(join(directory, name));
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}
