import { terminalSafeJsonLine } from "@caliban/common";
import type { AnswerOutput, AnswerSink } from "./answer-output.ts";
import { createDiagnostics } from "./diagnostics.ts";

/** `--output-format json`: one object on one line for each message that was answered. */
export function createJsonOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  return {
    ...diagnostics,
    result: (result) => {
      sink.stdout(`${terminalSafeJsonLine(result)}\n`);
      diagnostics.result(result);
    },
  };
}
