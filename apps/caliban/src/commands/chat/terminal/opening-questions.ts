import type { AskApproval } from "@caliban/mcp/node";
import { askImport, askServer, type Screen } from "@caliban/tui";
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
