import { terminalSafeLine } from "@caliban/common";
import type { Hook } from "./hook.ts";
import { describeFailure, failureReason } from "./hook-failure.ts";
import type { HookOutcome } from "./run-hook.ts";

/** What a hook did in this conversation. */
export interface HookRun {
  readonly count: number;
  readonly failures: number;
  /** What the last run did, as a clause. */
  readonly last: string;
}

export interface HookRecord {
  readonly add: (hook: Hook, outcome: HookOutcome) => void;
  readonly runs: () => ReadonlyMap<string, HookRun>;
}

/** Remembers what hooks did. A failure is reported once until the hook works again, or fails in another way. */
export function createHookRecord(notify: (message: string) => void): HookRecord {
  const runs = new Map<string, HookRun>();
  const reported = new Map<string, string>();
  const report = (name: string, message: string | undefined): void => {
    if (message !== undefined && reported.get(name) !== message) notify(message);
    if (message === undefined) reported.delete(name);
    else reported.set(name, message);
  };
  return {
    add: (hook, outcome) => {
      const { count, failures } = runs.get(hook.name) ?? { count: 0, failures: 0 };
      const isFailure = outcome.kind === "failed";
      runs.set(hook.name, {
        count: count + 1,
        failures: failures + (isFailure ? 1 : 0),
        last: terminalSafeLine(describeOutcome(outcome)),
      });
      if (outcome.kind === "interrupted") return;
      report(
        hook.name,
        outcome.kind === "failed"
          ? describeFailure(hook.name, outcome.failure)
          : allowWarning(hook, outcome),
      );
    },
    runs: () => runs,
  };
}

/** The user may rely on it. */
function allowWarning({ name }: Hook, outcome: HookOutcome): string | undefined {
  if (outcome.kind !== "answered" || outcome.answer.decision !== "allow") return undefined;
  return `hook ${name}: "allow" has no effect, because a hook can only deny or ask. To allow calls, use [permissions] allow.`;
}

function describeOutcome(outcome: HookOutcome): string {
  if (outcome.kind === "interrupted") return "interrupted";
  if (outcome.kind === "failed") return `failed: ${failureReason(outcome.failure)}`;
  const { decision, context = "" } = outcome.answer;
  if (decision === "deny") return "denied a call";
  if (decision === "ask") return "asked about a call";
  return context.trim() === "" ? "changed nothing" : "added a text";
}
