import { parseFlag } from "@caliban/common";
import type { Project } from "../project/project.ts";

type HookProject = Pick<Project, "environment" | "options" | "settings">;

/** The variable that turns all hooks off. Hooks get it, too, so that a hook that runs caliban does not run itself. */
export const KILL_SWITCH = "CALIBAN_DISABLE_HOOKS";

/** Whether a conversation has hooks. Without any, no code for them is loaded. */
export function hasHooks(project: HookProject): boolean {
  const { trusted, requestedHooks } = project.settings;
  if (requestedHooks.length === 0 && Object.keys(trusted.hooks).length === 0) return false;
  return hooksOffReason(project) === undefined;
}

/** Why no hook runs. Any other value of the variable than a no turns them off. */
export function hooksOffReason({ environment, options }: HookProject): string | undefined {
  if (options.bare) return "--bare turns hooks off";
  const text = environment.env[KILL_SWITCH] ?? "";
  if (text === "" || parseFlag(text) === false) return undefined;
  return `${KILL_SWITCH} turns hooks off`;
}
