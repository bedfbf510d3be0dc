import { terminalSafeLine } from "@caliban/common";
import type { ServerDiagnostic, ServerDiagnosticCode } from "../../server-diagnostic.ts";

/** Reports what happens to a server while a conversation runs, each thing once. */
export interface Announcer {
  /** `isConnected`: the server is still there, but something went wrong. */
  readonly failed: (message: string, isConnected: boolean) => void;
  /** The tools of the server differ from those the model is offered. */
  readonly toolsChanged: (change: string, problem: string | undefined) => void;
  /** Reported once per run. */
  readonly unsaved: (message: string) => void;
  /** From now on, the next change is reported again. */
  readonly offered: () => void;
}

export interface AnnouncerInput {
  readonly server: string;
  readonly report: (diagnostic: ServerDiagnostic) => void;
  /** Replaces the server's credentials in a text. */
  readonly mask: (text: string) => string;
  /** Whether someone can act on a changed tool list. */
  readonly announceChanges: boolean;
}

export function createAnnouncer(input: AnnouncerInput): Announcer {
  const { server, report, mask, announceChanges } = input;
  let lastMessage = "";
  // Nothing is offered yet that a list could differ from.
  let isChangeReported = true;
  let isUnsavedReported = false;
  const tell = (code: ServerDiagnosticCode, text: string): void => {
    const message = mask(text);
    if (message !== lastMessage) report({ server, code, message });
    lastMessage = message;
  };
  return {
    failed: (message, isConnected) =>
      tell("SERVER_FAILED", isConnected ? message : `unavailable: ${message}`),
    toolsChanged: (change, problem) => {
      if (!announceChanges || isChangeReported || change === "") return;
      isChangeReported = true;
      tell("TOOLS_CHANGED", problem === undefined ? change : `${change} (${problem})`);
    },
    unsaved: (message) => {
      if (isUnsavedReported) return;
      isUnsavedReported = true;
      report({ server, code: "RECORD_NOT_SAVED", message: terminalSafeLine(message) });
    },
    offered: () => {
      isChangeReported = false;
    },
  };
}
