import type { AgentEvent } from "@caliban/agent-core";
import { terminalSafeJsonLine } from "@caliban/common";
import type { ResultLine } from "./result-line.ts";
import type { AnswerOutput, AnswerSink, InitLine, InputErrorLine } from "./answer-output.ts";
import { createDiagnostics } from "./diagnostics.ts";

/** Every line of `--output-format stream-json`. The result says how a turn ended, so that no event has to. */
export type StreamLine =
  | InitLine
  | Exclude<AgentEvent, { readonly type: "turn-end" }>
  | InputErrorLine
  | ResultLine;

/** `--output-format stream-json`: one object a line, as things happen. */
export function createStreamJsonOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  const write = (line: StreamLine): void => sink.stdout(`${terminalSafeJsonLine(line)}\n`);
  return {
    begin: write,
    event: (event) => {
      if (event.type !== "turn-end") write(event);
    },
    notify: (sentence) => write({ type: "notice", sentence }),
    inputError: (error) => {
      write(error);
      diagnostics.inputError(error);
    },
    result: (result) => {
      write(result);
      diagnostics.result(result);
    },
  };
}
