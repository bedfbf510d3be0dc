import { terminalSafe } from "@caliban/common";
import type { AnswerOutput, AnswerSink, TurnReport } from "./answer-output.ts";
import { createDiagnostics } from "./diagnostics.ts";

/** `--output-format text`: the final answer and nothing else, so that it can be piped. */
export function createTextOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  return {
    ...diagnostics,
    result: (report) => {
      // An incomplete answer would be taken for a complete one.
      const isComplete = report.outcome === "done" || report.outcome === "step-limit";
      if (isComplete && report.text !== "") sink.stdout(formatAnswer(report.text, sink));
      for (const line of formatMissingAnswer(report)) sink.stderr(line);
      diagnostics.result(report);
    },
  };
}

/** Explains an empty stdout: the model declined, or its answer was empty. */
function formatMissingAnswer({ outcome, text }: TurnReport): readonly string[] {
  const isEmpty = text.trim() === "";
  if (outcome === "done" && isEmpty) return ["caliban: the model returned an empty answer\n"];
  if (outcome !== "refused" || isEmpty) return [];
  return [`${terminalSafe(text.trimEnd())}\n`];
}

function formatAnswer(text: string, { isTerminal }: AnswerSink): string {
  const line = text.endsWith("\n") ? text : `${text}\n`;
  return isTerminal ? terminalSafe(line) : line;
}
