import { terminalSafeLine } from "@caliban/common";

/** Why a run of a hook has no effect. */
export type HookFailure =
  | { readonly kind: "not-started"; readonly reason: string }
  | { readonly kind: "timed-out"; readonly seconds: number }
  | { readonly kind: "ended-early" }
  | { readonly kind: "too-much-output"; readonly maxBytes: number }
  | { readonly kind: "failed"; readonly how: string; readonly lastLine: string }
  | { readonly kind: "invalid-json" }
  | { readonly kind: "invalid-shape"; readonly problem: string };

/** What happened, as a clause. */
export function failureReason(failure: HookFailure): string {
  switch (failure.kind) {
    case "not-started":
      return `not started: ${failure.reason}`;
    case "timed-out":
      return `took longer than ${failure.seconds} s, and was killed`;
    case "ended-early":
      return "killed because caliban ended";
    case "too-much-output":
      return `printed more than ${failure.maxBytes / 1024} KiB, and was killed`;
    case "failed":
      return failure.lastLine === "" ? failure.how : `${failure.how}: ${failure.lastLine}`;
    case "invalid-json":
      return "printed something else than a JSON object";
    case "invalid-shape":
      return failure.problem;
  }
}

const REMEDIES: Readonly<Record<HookFailure["kind"], (name: string) => string>> = {
  "not-started": (name) => `Fix hooks.${name}.command`,
  "timed-out": (name) => `Make it faster, or raise hooks.${name}.timeout_seconds`,
  "ended-early": () => "Make it faster",
  "too-much-output": () => "Print only the answer, and write logs to a file",
  failed: (name) => `Fix hooks.${name}.command; exit code 0 means success`,
  "invalid-json": () => "Print one JSON object or nothing on stdout; write other text to stderr",
  "invalid-shape": () => "See docs/hooks.md for what a hook may print",
};

/** One line for the user: what happened, and what to do. */
export function describeFailure(name: string, failure: HookFailure): string {
  return terminalSafeLine(
    `hook ${name}: ${failureReason(failure)}. ${REMEDIES[failure.kind](name)}.`,
  );
}
