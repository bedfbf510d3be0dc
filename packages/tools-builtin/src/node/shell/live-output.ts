import type { ToolProgress } from "@caliban/agent-core";

/** Reports the last lines that a command has printed while it runs. */
export interface LiveOutput {
  readonly push: (text: string) => void;
  readonly end: () => void;
}

/** Often enough to look alive, and seldom enough to cost nothing. */
const INTERVAL_MS = 100;
const MAX_LINES = 20;
const MAX_CHARACTERS = 4_000;

/** Reports nothing without a receiver. Text that arrives soon after a report waits for the next one. */
export function createLiveOutput(
  report: ((progress: ToolProgress) => void) | undefined,
): LiveOutput {
  if (report === undefined) return { push: () => undefined, end: () => undefined };
  let [tail, breaks] = ["", 0];
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    report({ text: lastLines(tail), lines: breaks + (tail === "" || tail.endsWith("\n") ? 0 : 1) });
  };
  return {
    push: (text) => {
      if (text === "") return;
      breaks += text.split("\n").length - 1;
      tail = (tail + text).slice(-MAX_CHARACTERS);
      timer ??= setTimeout(send, INTERVAL_MS).unref();
    },
    end: () => clearTimeout(timer),
  };
}

/** A carriage return starts a line again, as progress bars do. */
function lastLines(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n").slice(-MAX_LINES);
  return lines.map((line) => line.replace(/^[^]*\r(?=[^])/, "")).join("\n");
}
