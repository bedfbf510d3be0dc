import { isAbsolute, relative, resolve, sep } from "node:path";
import { userDirectories } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import type { NoteTrigger } from "@caliban/memory";
import { createExclusion } from "@caliban/tools-builtin/node";
import type { Project } from "../project/project.ts";
import type { AgentCall } from "./hook-event.ts";

interface CallTriggerInput {
  readonly project: Pick<Project, "environment" | "workspace">;
  readonly memoryDirectory: string | undefined;
  /** The directory of the agent, which relative paths start from. */
  readonly cwd: string | undefined;
}

/** What a call of another agent is about; `undefined` for files outside of the workspace, and for caliban's own. */
export function callTrigger(call: AgentCall, input: CallTriggerInput): NoteTrigger | undefined {
  if (call.kind === "command") return call;
  const { environment, workspace } = input.project;
  const root = realPathIfExists(workspace.root) ?? workspace.root;
  const given = resolve(input.cwd ?? root, call.path);
  // A file that was just created or removed may have no real path.
  const path = relative(root, realPathIfExists(given) ?? given);
  const isOutside = path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  if (isOutside) return undefined;
  const { config, data, state, cache } = userDirectories(environment);
  const own = [config, data, state, cache, input.memoryDirectory];
  const isExcluded = createExclusion({
    root,
    excludedDirectories: own.filter((directory) => directory !== undefined),
  });
  return isExcluded(path) ? undefined : { ...call, path: path.split(sep).join("/") };
}
