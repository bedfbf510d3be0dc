import type { Invocation } from "./command.ts";
import type { Session } from "./compose.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Where the notes are turned off, nothing about them is written.
 * @throws UsageError that names what turned them off
 */
export function refuseWhereOff(invocation: Invocation, session: Session): void {
  const reason = offReason(invocation, session);
  if (reason === undefined) return;
  throw new UsageError(
    `auto-memory is turned off by ${reason}, so nothing is written; turn it on first`,
  );
}

/** What turned the notes off in this run; `undefined` where they are kept. */
export function offReason(
  { bare, memory }: Pick<Invocation, "bare" | "memory">,
  { settings }: Session,
): string | undefined {
  if (bare) return "--bare";
  if (!memory) return "--no-memory";
  if (settings.values["memory.auto"]) return undefined;
  const origin = settings.effective.find(({ key }) => key === "memory.auto")?.origins.at(-1);
  return origin?.where ?? "the settings";
}
