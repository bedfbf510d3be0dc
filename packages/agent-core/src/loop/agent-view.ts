import type { PermissionAnswer, PermissionQuestion } from "../permissions/permission-gate.ts";
import type { Notice } from "../tool.ts";
import type { AgentEvent } from "./agent-event.ts";

/** Shows what an agent does: a screen, or a stream of lines. */
export interface AgentView {
  readonly emit: (event: AgentEvent) => void;
  readonly notify: (notice: Notice) => void;
  /** Asks the user for permission. */
  readonly ask?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
}

/** A view that may be attached later. Notices wait for it. */
export interface AttachableView extends AgentView {
  readonly attach: (view: AgentView) => void;
}

/** Without `canAsk`, whatever needs the user's permission is denied. */
export function createAttachableView({ canAsk }: { readonly canAsk: boolean }): AttachableView {
  let attached: AgentView | undefined;
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
