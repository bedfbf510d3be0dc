import type { Project } from "../project/project.ts";

/** Why caliban does not learn from past sessions, and how to change that. */
export interface OffReason {
  /** `disabled` is the default; `switched-off` overrides settings that enable it. */
  readonly kind: "disabled" | "switched-off" | "flag";
  readonly message: string;
}

/** `undefined` when the pipeline may run. */
export function whyOff({
  host: { command },
  options: { bare, memory },
  settings,
}: Pick<Project, "host" | "options" | "settings">): OffReason | undefined {
  if (bare) return { kind: "flag", message: "disabled by --bare" };
  if (!memory) return { kind: "flag", message: "disabled by --no-memory" };
  if (!settings.values["memories.enabled"]) {
    const enable = command("settings set memories.enabled true");
    return { kind: "disabled", message: `memories.enabled is false; enable it with: ${enable}` };
  }
  if (settings.values["memory.auto"]) return undefined;
  const origin = settings.effective.find(({ key }) => key === "memory.auto")?.origins.at(-1);
  const where = origin?.where ?? "the settings";
  return { kind: "switched-off", message: `agent memory is disabled by ${where}` };
}
