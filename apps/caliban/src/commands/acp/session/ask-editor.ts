import type {
  AgentContext,
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionResponse,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";

/** One of the answers that an editor offers. */
export interface EditorChoice {
  readonly value: string;
  readonly label: string;
  readonly kind: PermissionOptionKind;
}

/** A question about a call, or about something that is shown like one. */
interface EditorQuestion {
  readonly about: ToolCallUpdate;
  readonly choices: readonly EditorChoice[];
}

/** Asks the user of an editor; `undefined` if there is no answer. */
export type AskEditor = (question: EditorQuestion) => Promise<string | undefined>;

export interface AskEditorInput {
  readonly client: () => Pick<AgentContext, "request">;
  readonly sessionId: () => string;
  /** Ends the wait for an answer. */
  readonly signal: () => AbortSignal | undefined;
  readonly report: (line: string) => void;
}

/** Asks with permission requests. An editor that cannot answer has not agreed. */
export function createAskEditor({ client, sessionId, signal, report }: AskEditorInput): AskEditor {
  return async ({ about, choices }) => {
    const cancellationSignal = signal();
    const options = choices.map(({ value, label, kind }): PermissionOption => ({
      optionId: value,
      name: label,
      kind,
    }));
    try {
      const { outcome }: RequestPermissionResponse = await client().request(
        "session/request_permission",
        { sessionId: sessionId(), toolCall: about, options },
        cancellationSignal === undefined ? {} : { cancellationSignal, stopWaitingOnCancel: true },
      );
      if (outcome.outcome !== "selected") return undefined;
      return choices.find(({ value }) => value === outcome.optionId)?.value;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (cancellationSignal?.aborted !== true)
        report(`the editor did not answer: ${error.message}`);
      return undefined;
    }
  };
}
