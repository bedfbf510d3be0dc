import { terminalSafeLine } from "@caliban/common";
import type { AnswerOutput, AnswerSink } from "./answer-output.ts";

/** What people read beside the answer, on stderr: all but the result itself. */
export function createDiagnostics({ stderr }: AnswerSink): AnswerOutput {
  const say = (sentence: string): void => stderr(`caliban: ${terminalSafeLine(sentence)}\n`);
  return {
    begin: ({ warnings }) => {
      for (const line of warnings) stderr(`${terminalSafeLine(warningLine(line))}\n`);
    },
    event: (event) => {
      if (event.type === "notice") say(event.sentence);
      if (event.type === "retry")
        say(`${event.failure.message} Asking again in ${inSeconds(event.delayMs)}.`);
    },
    notify: (sentence) =>
      isOfMemory(sentence) ? stderr(`${terminalSafeLine(sentence)}\n`) : say(sentence),
    inputError: ({ sentence }) => say(sentence),
    result: ({ problem, denials }) => {
      for (const { reason } of denials) say(reason);
      if (problem !== undefined) say(problem);
    },
  };
}

/** What memory has to say bears its own name. */
function isOfMemory(line: string): boolean {
  return line.startsWith("memory: ");
}

function warningLine(line: string): string {
  if (isOfMemory(line)) return line;
  return line.startsWith("WARNING: ") ? `caliban: ${line}` : `caliban: warning: ${line}`;
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
