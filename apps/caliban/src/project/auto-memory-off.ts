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

/** The flag or settings file that turned auto-memory off in this run; `undefined` when it is on. */
export function autoMemoryOffReason({
  options,
  settings,
}: Pick<Project, "options" | "settings">): string | undefined {
  if (options.bare) return "--bare";
  if (!options.memory) return "--no-memory";
  if (settings.values["memory.auto"]) return undefined;
  const origin = settings.effective.find(({ key }) => key === "memory.auto")?.origins.at(-1);
  return origin?.where ?? "the settings";
}
