import type { AgentEvent, Notice, PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";

/** Shows a conversation: a screen, or a stream of lines. */
export interface ConversationView {
  readonly emit: (event: AgentEvent) => void;
  readonly notify: (notice: Notice) => void;
  /** Asks the user for permission. Only called for a conversation that was opened with `canAsk`. */
  readonly ask?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
}

/** A view that may be attached later. Notices wait for it. */
export interface AttachableView extends ConversationView {
  readonly attach: (view: ConversationView) => void;
}

/** Without `canAsk`, whatever needs the user's permission is denied. */
export function createAttachableView({ canAsk }: { readonly canAsk: boolean }): AttachableView {
  let attached: ConversationView | undefined;
  const waiting: Notice[] = [];
  return {
    emit: (event) => attached?.emit(event),
    notify: (notice) => {
      if (attached === undefined) waiting.push(notice);
      else attached.notify(notice);
    },
    ask: canAsk ? async (question) => await (attached?.ask?.(question) ?? "no") : undefined,
    attach: (view) => {
      attached = view;
      for (const notice of waiting.splice(0)) view.notify(notice);
    },
  };
}
