import type { NoticeItem } from "../transcript/items.ts";
import type { Screen } from "./screen.ts";
import { showNotice } from "./show.ts";

/** One line about the work. */
type Line = Pick<NoticeItem, "tone" | "text">;

/** Starts the work in the background of a conversation; `undefined` when there is nothing to do. */
export type StartBackground = (
  sessionId: string,
  report: (line: Line) => void,
) => Promise<{ readonly stop: () => Promise<void> } | undefined>;

export interface BackgroundInput {
  readonly screen: Screen;
  readonly sessionId: () => string;
  readonly start: StartBackground | undefined;
  /** Starts the conversation's MCP servers, which report their own state. */
  readonly startServers?: ((report: (line: string) => void) => void) | undefined;
  /** Resolves when the screen is drawn and the first request is on its way. */
  readonly ready: Promise<void>;
}

/** Late enough not to delay anything the user waits for at startup. */
const DELAY_MS = 500;
const BUSY_MS = 250;

/** Runs work in the background from the moment the user waits for nothing until the screen closes. */
export function createBackground(input: BackgroundInput): { readonly stop: () => Promise<void> } {
  const { screen, sessionId, start, startServers, ready } = input;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let started: ReturnType<StartBackground> | undefined;
  const later = (ms: number, action: () => void): void => {
    if (!isStopped) timer = setTimeout(action, ms).unref();
  };
  // A line must not split an answer that is still being written.
  const report = (line: Line): void => {
    if (isStopped) return;
    if (screen.state().work !== undefined) return later(BUSY_MS, () => report(line));
    showNotice(screen, line.tone, line.text);
  };
  const begin = (): void => {
    startServers?.((text) => report({ tone: "plain", text }));
    started = start?.(sessionId(), report);
    started?.catch((error: unknown) =>
      report({ tone: "bad", text: `memory: cannot read past sessions: ${messageOf(error)}` }),
    );
  };
  void ready.then(() => later(DELAY_MS, begin));
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      const worker = await started?.catch(() => undefined);
      await worker?.stop();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
