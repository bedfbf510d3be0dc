import { describeAttachment } from "@caliban/agent-core";
import { spellCommands, terminalSafe, terminalSafeLine } from "@caliban/common";
import type { AnswerOutput, AnswerSink, TurnReport } from "./answer-output.ts";

/** `--output-format text`: the final answer and nothing else, so that it can be piped. */
export function createTextOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  return {
    ...diagnostics,
    result: (report) => {
      // An incomplete answer would be taken for a complete one.
      const isComplete = report.outcome === "done" || report.outcome === "step-limit";
      if (isComplete && report.text !== "") sink.stdout(formatAnswer(report.text, sink));
      explainMissingAnswer(report, sink);
      diagnostics.result(report);
    },
  };
}

/** Explains an empty stdout: the model declined, or its answer was empty. */
function explainMissingAnswer({ outcome, text }: TurnReport, { report, stderr }: AnswerSink): void {
  const isEmpty = text.trim() === "";
  if (outcome === "done" && isEmpty) report("the model returned an empty answer");
  if (outcome === "refused" && !isEmpty) stderr(`${terminalSafe(text.trimEnd())}\n`);
}

function formatAnswer(text: string, { isTerminal }: AnswerSink): string {
  const line = text.endsWith("\n") ? text : `${text}\n`;
  return isTerminal ? terminalSafe(line) : line;
}

/** Prints to stderr what the user should read besides the answer. */
export function createDiagnostics(sink: AnswerSink): AnswerOutput {
  const report = (message: string): void => sink.report(terminalSafeLine(message));
  // A line about memory starts with "memory:" and needs no other label.
  const reportMemory = (message: string): void => sink.stderr(`${terminalSafeLine(message)}\n`);
  return {
    start: ({ warnings }) => {
      for (const { code, message } of warnings) {
        if (code === "MEMORY") reportMemory(message);
        // The warning about global memory brings its own label.
        else report(code === "GLOBAL_MEMORY" ? message : `warning: ${message}`);
      }
    },
    event: (event) => {
      if (event.type === "notice") report(event.message);
      if (event.type === "message" && event.message.role === "user") {
        for (const attachment of event.message.attachments ?? [])
          report(describeAttachment(attachment));
      }
      if (event.type === "retry")
        report(`${event.failure.message} Retrying in ${formatSeconds(event.delayMs)}.`);
    },
    notify: (notice) => {
      const message = spellCommands(notice, sink.command);
      return notice.kind === "memory" ? reportMemory(message) : report(message);
    },
    inputError: ({ message }) => report(message),
    result: ({ problem, denials }) => {
      for (const { reason } of denials) report(reason);
      if (problem !== undefined) report(problem);
    },
  };
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
