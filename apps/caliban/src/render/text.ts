import { terminalSafe } from "@caliban/common";
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
      diagnostics.result(result);
    },
  };
}

function shown(text: string, { isTerminal }: AnswerSink): string {
  const line = text.endsWith("\n") ? text : `${text}\n`;
  return isTerminal ? terminalSafe(line) : line;
}
