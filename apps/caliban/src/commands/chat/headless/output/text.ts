import { terminalSafe } from "@caliban/common";
import type { ResultLine } from "./result-line.ts";
import type { AnswerOutput, AnswerSink } from "./answer-output.ts";
import { createDiagnostics } from "./diagnostics.ts";

/** `--output-format text`: the final answer and nothing else, so that it can be piped on. */
export function createTextOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  return {
    ...diagnostics,
    result: (result) => {
      // Half an answer would be taken for a whole one.
      const isWhole = result.outcome === "done" || result.outcome === "step-limit";
      if (isWhole && result.text !== "") sink.stdout(shown(result.text, sink));
      for (const line of besides(result)) sink.stderr(line);
      diagnostics.result(result);
    },
  };
}

/** What stdout does not show: why the model declined, and that there is nothing to show. */
function besides({ outcome, text }: ResultLine): readonly string[] {
  const isEmpty = text.trim() === "";
  if (outcome === "done" && isEmpty) return ["caliban: the model had nothing to say\n"];
  if (outcome !== "refused" || isEmpty) return [];
  return [`${terminalSafe(text.trimEnd())}\n`];
}

function shown(text: string, { isTerminal }: AnswerSink): string {
  const line = text.endsWith("\n") ? text : `${text}\n`;
  return isTerminal ? terminalSafe(line) : line;
}
