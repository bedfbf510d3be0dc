import { resolve } from "node:path";
import { spellCommands, type SpellCommand } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import type { AskApproval } from "@caliban/mcp/node";
import {
  askImport,
  askPermission,
  askServer,
  createDeltaBuffer,
  type Screen,
  type ScreenState,
  showEvent,
  showNotice,
  type Transcript,
} from "@caliban/tui";
import type { Conversation } from "../../../conversation/conversation.ts";
import type { ConversationView } from "../../../conversation/turn/view.ts";
import type { Host } from "../../../host.ts";
import type { AskImport } from "../../../project/load-memory.ts";

/** The questions that may come up while a conversation is opened. */
export interface OpeningQuestions {
  /** Asks about a file outside the workspace that an instruction file imports. */
  readonly askImport: AskImport;
  /** Asks about an MCP server that the repository requests. */
  readonly askServer: AskApproval;
}

/** Starting the screen waits for the first question, so that a failed start leaves the terminal alone. */
export function openingQuestions(screen: Screen, host: Host): OpeningQuestions {
  return {
    askImport: async ({ subject }) => {
      screen.start();
      return await askImport(screen, subject);
    },
    askServer: async (question) => {
      screen.start();
      // Loaded with the first question, because hardly any start has one.
      const { toServerQuestion } = await import("../../mcp/server-question.ts");
      return await askServer(screen, toServerQuestion(question, host));
    },
  };
}

const MAX_PREVIOUS_BYTES = 256 * 1024;

/** Shows a conversation on the screen, and calls back with each request to the model. */
export function createScreenView(input: {
  readonly screen: Screen;
  readonly command: SpellCommand;
  readonly onRequest: () => void;
}): ConversationView {
  const { screen, command, onRequest } = input;
  const emit = createDeltaBuffer({
    emit: (event) => showEvent(screen, event),
    delayMs: () => collectMs(screen.state().transcript),
  });
  return {
    emit: (event) => {
      emit(event);
      if (event.type === "step-start" || event.type === "turn-end") onRequest();
    },
    notify: (notice) => {
      const tone = notice.kind === "memory" ? "good" : "plain";
      showNotice(screen, tone, spellCommands(notice, command));
    },
    ask: async (question) =>
      await askPermission(screen, question, async (path) => {
        const { workspaceRoot } = screen.state();
        const file = readTextFile(resolve(workspaceRoot, path), MAX_PREVIOUS_BYTES);
        return file.kind === "text" ? file.text : undefined;
      }),
  };
}

const MIN_COLLECT_MS = 40;
const CHARACTERS_PER_MS = 200;

/** A long answer takes longer to render, so more of it is collected per frame. */
function collectMs({ items }: Transcript): number {
  const last = items.at(-1);
  const length = last?.kind === "answer" ? last.text.length : 0;
  return MIN_COLLECT_MS + length / CHARACTERS_PER_MS;
}

/** What the footer shows about a conversation. */
export function footerFacts(
  conversation: Conversation,
): Pick<ScreenState, "model" | "mode" | "usedPercent"> {
  const { windowTokens, parts } = conversation.windowUse();
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    model: conversation.model(),
    mode: conversation.policy().mode,
    usedPercent: windowTokens === 0 ? 0 : Math.round((used / windowTokens) * 100),
  };
}
