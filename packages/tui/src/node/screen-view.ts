import { resolve } from "node:path";
import type { AgentEvent, Notice, PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { spellCommands, type SpellCommand } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { askPermission } from "../questions/ask-permission.ts";
import type { Screen } from "../screen/screen.ts";
import { showEvent, showNotice } from "../screen/show.ts";
import { createDeltaBuffer } from "../transcript/delta-buffer.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** A larger file is not compared, so the question shows the new text alone. */
const MAX_PREVIOUS_BYTES = 1024 * 1024;

export interface ScreenViewInput {
  readonly screen: Screen;
  /** Spells the commands that notices name. */
  readonly command: SpellCommand;
  readonly onRequest: () => void;
}

/** What a conversation tells its user, and asks. */
export interface ScreenView {
  readonly emit: (event: AgentEvent) => void;
  readonly notify: (notice: Notice) => void;
  readonly ask: (question: PermissionQuestion) => Promise<PermissionAnswer>;
}

/** Shows a conversation on the screen, and calls back with each request to the model. */
export function createScreenView({ screen, command, onRequest }: ScreenViewInput): ScreenView {
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
