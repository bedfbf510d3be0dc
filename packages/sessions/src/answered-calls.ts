import type { SessionDiagnostic } from "./diagnostic.ts";
import type {
  SessionAssistantMessage,
  SessionMessage,
  SessionToolCall,
  SessionToolResult,
} from "./session-message.ts";

/** A conversation in which every call has one result, and what was done to make it so. */
export interface AnsweredCalls {
  readonly messages: readonly SessionMessage[];
  readonly diagnostics: readonly SessionDiagnostic[];
}

const INTERRUPTED = "was interrupted before it finished";

/**
 * Makes a conversation one that a model takes: each tool call is followed by its result, none has two. A call
 * without one was running when the process was killed, and gets a result that says so.
 */
export function answerCalls(messages: readonly SessionMessage[]): AnsweredCalls {
  const answered: SessionMessage[] = [];
  const mended: (readonly SessionDiagnostic[])[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.role === "user") answered.push(message);
    if (message.role === "tool") mended.push(message.results.map(stray));
    if (message.role !== "assistant") continue;
    const { kept, repeated } = withoutRepeatedCalls(message);
    const results = resultsAfter(messages, index);
    const step = resultsOf(kept, results);
    // Taken up here, so that they are not met again as strays.
    while (messages[index + 1]?.role === "tool") index++;
    mended.push(repeated, step.diagnostics);
    answered.push(kept);
    if (step.results.length > 0) answered.push({ role: "tool", results: step.results });
  }
  return { messages: answered, diagnostics: mended.flat() };
}

function withoutRepeatedCalls(message: SessionAssistantMessage): {
  readonly kept: SessionAssistantMessage;
  readonly repeated: readonly SessionDiagnostic[];
} {
  const seen = new Set<string>();
  const repeated: SessionDiagnostic[] = [];
  const parts = message.parts.filter((part) => {
    if (part.type !== "tool-call") return true;
    const isFirst = !seen.has(part.id);
    seen.add(part.id);
    const sentence = `a second call of ${part.name} with the id of another was left out`;
    if (!isFirst) repeated.push({ code: "REPEATED_CALL", sentence });
    return isFirst;
  });
  // The same object where nothing was left out: most conversations are whole.
  return { kept: repeated.length === 0 ? message : { ...message, parts }, repeated };
}

/** All that the tools said between this message and the next one of a person or a model. */
function resultsAfter(
  messages: readonly SessionMessage[],
  index: number,
): readonly SessionToolResult[] {
  const results: SessionToolResult[] = [];
  for (let next = index + 1; next < messages.length; next++) {
    const message = messages[next];
    if (message?.role !== "tool") break;
    for (const result of message.results) results.push(result);
  }
  return results;
}

function resultsOf(
  { parts }: SessionAssistantMessage,
  results: readonly SessionToolResult[],
): { readonly results: readonly SessionToolResult[]; readonly diagnostics: SessionDiagnostic[] } {
  const calls = parts.filter((part) => part.type === "tool-call");
  const first = new Map<string, SessionToolResult>();
  for (const result of results) if (!first.has(result.id)) first.set(result.id, result);
  const ids = new Set(calls.map(({ id }) => id));
  const strays = results.filter((result) => !ids.has(result.id) || first.get(result.id) !== result);
  const unfinished = calls.filter(({ id }) => !first.has(id));
  return {
    results: calls.map((call) => first.get(call.id) ?? interrupted(call)),
    diagnostics: [...strays.map(stray), ...unfinished.map(unfinishedCall)],
  };
}

function interrupted({ id, name }: SessionToolCall): SessionToolResult {
  const text = `${name} ${INTERRUPTED}; whether it had any effect is not known.`;
  return { id, name, text, isError: true };
}

function unfinishedCall({ name }: SessionToolCall): SessionDiagnostic {
  return { code: "UNFINISHED_CALL", sentence: `${name} ${INTERRUPTED}` };
}

function stray({ name }: SessionToolResult): SessionDiagnostic {
  return { code: "STRAY_RESULT", sentence: `a result of ${name} without a call was left out` };
}
