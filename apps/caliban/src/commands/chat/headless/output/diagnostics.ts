import { terminalSafeLine } from "@caliban/common";
import type { StartWarning } from "../../../../conversation/prompt/compose-agent.ts";
import type { AnswerOutput, AnswerSink } from "./answer-output.ts";

/** Prints to stderr what the user should read besides the answer. */
export function createDiagnostics({ stderr }: AnswerSink): AnswerOutput {
  const print = (line: string): void => stderr(`${terminalSafeLine(line)}\n`);
  const report = (message: string): void => print(`caliban: ${message}`);
  return {
    start: ({ warnings }) => {
      for (const warning of warnings) print(formatWarning(warning));
    },
    event: (event) => {
      if (event.type === "notice") report(event.message);
      if (event.type === "retry")
        report(`${event.failure.message} Retrying in ${formatSeconds(event.delayMs)}.`);
    },
    // A memory notice starts with "memory:" and needs no other prefix.
    notify: ({ kind, message }) => (kind === "memory" ? print(message) : report(message)),
    inputError: ({ message }) => report(message),
    result: ({ problem, denials }) => {
      for (const { reason } of denials) report(reason);
      if (problem !== undefined) report(problem);
    },
  };
}

function formatWarning({ code, message }: StartWarning): string {
  if (code === "MEMORY") return message;
  // The warning about global memory brings its own label.
  return code === "GLOBAL_MEMORY" ? `caliban: ${message}` : `caliban: warning: ${message}`;
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
