import type { Project } from "../project/project.ts";

/** Why past sessions are not learned from in this run, and how to change that. */
export interface OffReason {
  /** `disabled` is how it is unless somebody turns it on; `switched-off` is against what the settings ask for. */
  readonly kind: "disabled" | "switched-off" | "flag";
  /** Without a full stop. */
  readonly sentence: string;
}

/** How it is turned on. */
const TURN_ON = "`caliban settings set memories.enabled true` turns it on";

/** `undefined` where the pipeline may run. */
export function whyOff({
  options: { bare, memory },
  settings,
}: Pick<Project, "options" | "settings">): OffReason | undefined {
  if (bare) return { kind: "flag", sentence: "--bare leaves it out" };
  if (!memory) return { kind: "flag", sentence: "--no-memory leaves it out" };
  if (!settings.values["memories.enabled"])
    return { kind: "disabled", sentence: `memories.enabled is false; ${TURN_ON}` };
  if (settings.values["memory.auto"]) return undefined;
  const origin = settings.effective.find(({ key }) => key === "memory.auto")?.origins.at(-1);
  const where = origin?.where ?? "the settings";
  return { kind: "switched-off", sentence: `all of the agent's memory is turned off by ${where}` };
}
