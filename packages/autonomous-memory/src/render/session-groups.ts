import type { PipelineSettings } from "../run/settings.ts";
import type { DueCounts } from "../store/pipeline-store.ts";
import { formatNumber, type MemoryCommands } from "./format.ts";

/** Sessions in the same state. */
export interface SessionGroup {
  readonly state: keyof DueCounts;
  readonly count: number;
  readonly label: string;
}

export interface GroupInput {
  readonly settings: Pick<PipelineSettings, "minRolloutIdleHours" | "maxRolloutAgeDays">;
  readonly commands: Pick<MemoryCommands, "exclude">;
}

/** The number of sessions by state. */
export function formatQueue(counts: DueCounts, input: GroupInput): string {
  const groups = groupSessions(counts, [
    ["due", "to be read"],
    ["running", "being read"],
    ["upToDate", "read"],
    ...skippedLabels(input),
  ]);
  if (groups.length === 0) return "none known yet";
  return groups.map(({ count, label }) => `${formatNumber(count)} ${label}`).join(", ");
}

/** Sessions that a run left unread, and why. */
export function unreadSessions(counts: DueCounts, input: GroupInput): readonly SessionGroup[] {
  return groupSessions(counts, [
    ["due", "still to be read"],
    ["running", "being read by another process"],
    ...skippedLabels(input),
  ]);
}

type Label = readonly [state: keyof DueCounts, label: string];

function skippedLabels({ settings, commands }: GroupInput): readonly Label[] {
  const { minRolloutIdleHours: hours, maxRolloutAgeDays: days } = settings;
  const recent =
    hours === 0
      ? "in progress"
      : `active within the last ${hours === 1 ? "hour" : `${hours} hours`}`;
  return [
    ["tooRecent", recent],
    ["tooOld", `older than ${days === 1 ? "a day" : `${days} days`}`],
    ["optedOut", `excluded (${commands.exclude})`],
    ["cleared", "cleared"],
    ["waiting", "waiting to be retried"],
    ["failed", "given up"],
  ];
}

function groupSessions(counts: DueCounts, labels: readonly Label[]): readonly SessionGroup[] {
  return labels
    .map(([state, label]) => ({ state, count: counts[state], label }))
    .filter(({ count }) => count > 0);
}
