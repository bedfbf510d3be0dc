import type { Project } from "../project/project.ts";

/** Why caliban does not learn from past sessions, and how to change that. */
export interface OffReason {
  /** `disabled` is the default; `switched-off` overrides settings that enable it. */
  readonly kind: "disabled" | "switched-off" | "flag";
  readonly message: string;
}

/** `undefined` when the pipeline may run. */
export function whyOff({
  options: { bare, memory },
  settings,
}: Pick<Project, "options" | "settings">): OffReason | undefined {
  if (bare) return { kind: "flag", message: "disabled by --bare" };
  if (!memory) return { kind: "flag", message: "disabled by --no-memory" };
  if (!settings.values["memories.enabled"]) return { kind: "disabled", message: DISABLED };
  if (settings.values["memory.auto"]) return undefined;
  const origin = settings.effective.find(({ key }) => key === "memory.auto")?.origins.at(-1);
  const where = origin?.where ?? "the settings";
  return { kind: "switched-off", message: `agent memory is disabled by ${where}` };
}

const DISABLED =
  "memories.enabled is false; enable it with `caliban settings set memories.enabled true`";
