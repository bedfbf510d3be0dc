import { UsageError } from "../usage-error.ts";
import type { Project } from "./project.ts";

/**
 * Checks that the agent's memory may be written.
 * @throws UsageError that names what turned it off
 */
export function requireAutoMemory(project: Project): void {
  const reason = autoMemoryOffReason(project);
  if (reason === undefined) return;
  throw new UsageError(
    `auto-memory is turned off by ${reason}, so nothing is written; turn it on first`,
  );
}

/**
 * Checks that memory about the user may be written.
 * @throws UsageError that names what turned it off
 */
export function requireUserMemory(project: Project): void {
  requireAutoMemory(project);
  const reason = userMemoryOffReason(project);
  if (reason === undefined) return;
  throw new UsageError(
    `memory about you is turned off by ${reason}, so nothing is written; turn it on first`,
  );
}

/** What turned memory about the user off in this run; `undefined` when it is on. */
export function userMemoryOffReason(
  project: Pick<Project, "options" | "settings">,
): string | undefined {
  return autoMemoryOffReason(project) ?? settingsThatTurnOff(project.settings, "memory.user");
}

/** The flag or settings file that turned auto-memory off in this run; `undefined` when it is on. */
export function autoMemoryOffReason({
  options,
  settings,
}: Pick<Project, "options" | "settings">): string | undefined {
  if (options.bare) return "--bare";
  if (!options.memory) return "--no-memory";
  return settingsThatTurnOff(settings, "memory.auto");
}

/** The file that turns a setting off, or nothing if it is on. */
export function settingsThatTurnOff(
  { values, effective }: Project["settings"],
  switchKey: "memory.auto" | "memory.user" | "memory.team.enabled" | "memory.team.share",
): string | undefined {
  if (values[switchKey] !== false && values[switchKey] !== "off") return undefined;
  const origin = effective.find(({ key }) => key === switchKey)?.origins.at(-1);
  return origin?.where ?? "the settings";
}
