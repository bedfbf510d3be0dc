import { EXIT, type ExitCode } from "../../../exit-code.ts";
import type { ResultLine } from "./output/result-line.ts";

const BY_OUTCOME: Readonly<Record<ResultLine["outcome"], ExitCode>> = {
  done: EXIT.done,
  interrupted: EXIT.interrupted,
  "step-limit": EXIT.failed,
  refused: EXIT.model,
  failed: EXIT.model,
};

/** How a process ends after a turn: a refused call counts only where nothing worse happened. */
export function exitOf({ outcome, denials }: Pick<ResultLine, "outcome" | "denials">): ExitCode {
  if (outcome === "done" && denials.length > 0) return EXIT.denied;
  return BY_OUTCOME[outcome];
}

/** What counts more comes first. */
const WORST_FIRST: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.usage,
  EXIT.model,
  EXIT.failed,
  EXIT.denied,
];

/** How a process ends after several turns: as the worst of them did. */
export function worstExit(codes: readonly ExitCode[]): ExitCode {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.done;
}
