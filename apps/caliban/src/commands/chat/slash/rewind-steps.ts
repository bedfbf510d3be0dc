import type { ShownStep } from "../../../checkpoints/inspect-files.ts";

/** The steps that change something, or cannot. */
export function changedSteps(steps: readonly ShownStep[]): readonly ShownStep[] {
  return steps.filter(({ step }) => step !== "none");
}

/** A line per file, and how many more there are. */
export function renderSteps(steps: readonly ShownStep[], maxLines: number): readonly string[] {
  if (steps.length <= maxLines) return steps.map(stepLine);
  const shown = steps.slice(0, maxLines - 1).map(stepLine);
  return [...shown, `… and ${steps.length - shown.length} more files`];
}

/** What a rewind does to a file. */
export function stepLine(step: ShownStep): string {
  const { display, target, current } = step;
  if (step.step === "blocked") return `${display}: cannot go back, ${step.reason}`;
  const action =
    target.kind === "absent"
      ? "removed, because it did not exist then"
      : current.kind === "absent"
        ? "created again"
        : "restored";
  return `${display}: ${action}${step.step === "ask" ? " (changed since by you or another program)" : ""}`;
}
