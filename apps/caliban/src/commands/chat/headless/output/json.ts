import type { AgentEvent, Message, ModelFailure } from "@caliban/agent-core";
import { isRecord, terminalSafeJsonLine } from "@caliban/common";
import type {
  AnswerOutput,
  AnswerSink,
  InputError,
  RunStart,
  TurnReport,
} from "./answer-output.ts";
import { createDiagnostics } from "./text.ts";

/** `--output-format json`: one object on one line for each answered message. */
export function createJsonOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  return {
    ...diagnostics,
    result: (report) => {
      sink.stdout(`${terminalSafeJsonLine(toResultLine(report))}\n`);
      diagnostics.result(report);
    },
  };
}

/** `--output-format stream-json`: one object per line, as things happen. */
export function createStreamJsonOutput(sink: AnswerSink): AnswerOutput {
  const diagnostics = createDiagnostics(sink);
  const write = (line: StreamLine): void => sink.stdout(`${terminalSafeJsonLine(line)}\n`);
  return {
    start: (start) => write(toInitLine(start)),
    event: (event) => {
      if (isStreamed(event)) write(toEventLine(event));
    },
    notify: ({ message }) => write({ type: "notice", sentence: message }),
    inputError: (error) => {
      const { type, line, message } = error;
      write({ type, line, sentence: message });
      diagnostics.inputError(error);
    },
    result: (report) => {
      write(toResultLine(report));
      diagnostics.result(report);
    },
  };
}

/** Every line of `stream-json`. In this published format, a message is called `sentence`. */
export type StreamLine =
  | InitLine
  | EventLine
  | (Omit<InputError, "message"> & { readonly sentence: string })
  | ResultLine;

interface InitLine extends Omit<RunStart, "warnings"> {
  readonly type: "init";
  readonly warnings: readonly string[];
}

interface ResultLine extends TurnReport {
  readonly type: "result";
}

/** The result of a turn says how it ended, and the result of a call contains what it printed or what a subagent found. */
type StreamedEvent = Exclude<
  AgentEvent,
  { readonly type: "turn-end" | "tool-progress" | "subagent" }
>;

const NOT_STREAMED: ReadonlySet<string> = new Set(["turn-end", "tool-progress", "subagent"]);

function isStreamed(event: AgentEvent): event is StreamedEvent {
  return !NOT_STREAMED.has(event.type);
}

type EventLine =
  | Exclude<StreamedEvent, { readonly type: "notice" | "retry" }>
  | { readonly type: "notice"; readonly sentence: string }
  | (Omit<Extract<StreamedEvent, { readonly type: "retry" }>, "failure"> & {
      readonly failure: Omit<ModelFailure, "message"> & { readonly sentence: string };
    });

function toInitLine({ warnings, ...start }: RunStart): InitLine {
  return { type: "init", ...start, warnings: warnings.map(({ message }) => message) };
}

function toResultLine(report: TurnReport): ResultLine {
  return { type: "result", ...report };
}

function toEventLine(event: StreamedEvent): EventLine {
  if (event.type === "message") return { ...event, message: forPrograms(event.message) };
  if (event.type === "compacted") return { ...event, messages: event.messages.map(forPrograms) };
  if (event.type === "notice") return { type: "notice", sentence: event.message };
  if (event.type === "retry") {
    const { code, message: sentence, ...rest } = event.failure;
    return { ...event, failure: { code, sentence, ...rest } };
  }
  if (event.type !== "tool-result" || !isDenial(event.data)) return event;
  const { code, message: sentence } = event.data;
  return { ...event, data: { code, sentence } };
}

/** Facts are for screens; programs get the data of a result. An image would fill the line. */
function forPrograms(message: Message): Message {
  if (message.role === "user" && message.attachments !== undefined) {
    const attachments = message.attachments.map((attachment) =>
      attachment.type === "image"
        ? { ...attachment, image: { ...attachment.image, data: "" } }
        : attachment,
    );
    return { ...message, attachments };
  }
  if (message.role !== "tool") return message;
  const results = message.results.map(({ id, name, text, isError }) => ({
    id,
    name,
    text,
    isError,
  }));
  return { ...message, results };
}

function isDenial(data: unknown): data is { readonly code: "DENIED"; readonly message: string } {
  return isRecord(data) && data["code"] === "DENIED" && "message" in data;
}
