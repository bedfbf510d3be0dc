import type { SessionDiagnostic } from "../diagnostic.ts";
import type {
  SessionAssistantMessage,
  SessionMessage,
  SessionToolCall,
  SessionToolResult,
} from "../record/session-message.ts";

/** A conversation in which every tool call has exactly one result, and what was changed to get there. */
export interface RepairedConversation {
  readonly messages: readonly SessionMessage[];
  readonly diagnostics: readonly SessionDiagnostic[];
}

const INTERRUPTED = "was interrupted before it finished";

/**
 * Repairs a conversation so that a model accepts it: each tool call is followed by exactly one result. A call without one
 * was running when the process was killed, and gets a result that says so.
 */
export function repairToolCalls(messages: readonly SessionMessage[]): RepairedConversation {
  const repaired: SessionMessage[] = [];
  const diagnostics: (readonly SessionDiagnostic[])[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.role === "user") repaired.push(message);
    if (message.role === "tool") diagnostics.push(message.results.map(stray));
    if (message.role !== "assistant") continue;
    const { kept, repeated } = withoutRepeatedCalls(message);
    const results = resultsAfter(messages, index);
    const step = resultsOf(kept, results);
    // Consumed here, so that they are not reported as strays.
    while (messages[index + 1]?.role === "tool") index++;
    diagnostics.push(repeated, step.diagnostics);
    repaired.push(kept);
    if (step.results.length > 0) repaired.push({ role: "tool", results: step.results });
  }
  return { messages: repaired, diagnostics: diagnostics.flat() };
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
    const problem = `skipped a second call of ${part.name} with the same id`;
    if (!isFirst) repeated.push({ code: "REPEATED_CALL", message: problem });
    return isFirst;
  });
  // The same object if nothing was removed, as in most conversations.
  return { kept: repeated.length === 0 ? message : { ...message, parts }, repeated };
}

/** All tool results between this message and the next one of the user or the model. */
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
  const text = `${name} ${INTERRUPTED}; it is unknown whether it had any effect.`;
  return { id, name, text, isError: true };
}

function unfinishedCall({ name }: SessionToolCall): SessionDiagnostic {
  return { code: "UNFINISHED_CALL", message: `${name} ${INTERRUPTED}` };
}

function stray({ name }: SessionToolResult): SessionDiagnostic {
  return { code: "STRAY_RESULT", message: `skipped a result of ${name} without a call` };
}
