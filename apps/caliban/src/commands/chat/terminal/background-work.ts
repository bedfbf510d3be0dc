import type { PipelineLine } from "../../../pipeline/start-lines.ts";
import type { PipelineWorker } from "../../../pipeline/start-worker.ts";
import type { Screen } from "../../../../../../packages/tui/src/screen/screen.ts";
import { notice, withItem } from "../../../../../../packages/tui/src/transcript/transcript.ts";

/** Starts what goes on beside a conversation; `undefined` when there is nothing to do. */
export type StartBackground = (
  sessionId: string,
  say: (line: PipelineLine) => void,
) => Promise<Pick<PipelineWorker, "stop"> | undefined>;

export interface BackgroundInput {
  readonly screen: Screen;
  readonly sessionId: () => string;
  readonly start: StartBackground | undefined;
  /** Starts the servers of the conversation, which tell for themselves what happens to them. */
  readonly startServers?: ((say: (line: string) => void) => void) | undefined;
  /** When the screen stands and the first request is on its way. */
  readonly ready: Promise<void>;
}

/** Later than whatever a person waits for at the start. */
const DELAY_MS = 500;
const BUSY_MS = 250;

/** Work beside the conversation, from the moment that nobody waits for anything to the end of the screen. */
export function createBackground(input: BackgroundInput): { readonly stop: () => Promise<void> } {
  const { screen, sessionId, start, startServers, ready } = input;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let started: ReturnType<StartBackground> | undefined;
  const later = (ms: number, action: () => void): void => {
    if (!hasEnded) timer = setTimeout(action, ms).unref();
  };
  // An answer that is being written must not be cut in two by it.
  const say = (line: PipelineLine): void => {
    if (hasEnded) return;
    if (screen.state().work !== undefined) return later(BUSY_MS, () => say(line));
    const { transcript } = screen.state();
    screen.update({ transcript: withItem(transcript, notice(line.tone, line.text)) });
  };
  const begin = (): void => {
    startServers?.((text) => say({ tone: "plain", text }));
    started = start?.(sessionId(), say);
    started?.catch((error: unknown) =>
      say({ tone: "bad", text: `memory: past sessions cannot be read: ${wordsOf(error)}` }),
    );
  };
  void ready.then(() => later(DELAY_MS, begin));
  return {
    stop: async () => {
      hasEnded = true;
      clearTimeout(timer);
      const worker = await started?.catch(() => undefined);
      await worker?.stop();
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
