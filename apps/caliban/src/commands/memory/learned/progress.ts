import type { PipelineEvent } from "@caliban/autonomous-memory";
import { terminalSafeLine } from "@caliban/common";
import type { Host } from "../../../host.ts";

export interface Progress {
  readonly show: (event: PipelineEvent) => void;
  /** Takes the line away that was last. */
  readonly end: () => void;
}

const TICK_MS = 500;

/** How far a run is: one line that changes where a person looks, else a line for each session. */
export function createProgress(host: Pick<Host, "progressLine" | "stderr" | "now">): Progress {
  const replace = host.progressLine();
  const startedMs = host.now();
  let [done, total, tokens] = [0, 0, 0];
  let isConsolidating = false;
  const words = (): string => {
    const what = isConsolidating ? "bringing memory up to date" : `${done} of ${total} sessions`;
    const seconds = Math.round((host.now() - startedMs) / 1000);
    return `${what} · ${tokens.toLocaleString("en-US")} tokens · ${seconds} s`;
  };
  // The time goes on while a model thinks.
  const ticking = replace && setInterval(() => replace(words()), TICK_MS).unref();
  const say = (sentence: string): void => host.stderr(`caliban: ${terminalSafeLine(sentence)}\n`);
  return {
    show: (event) => {
      if (event.type === "planned") ({ total } = event);
      if (event.type === "session-end") ({ done, total } = event);
      if (event.type === "spent") ({ tokens } = event);
      if (event.type === "consolidation-start") isConsolidating = true;
      if (replace !== undefined) return replace(words());
      if (event.type === "notice" || event.type === "spent") return;
      if (event.type === "session-end" && event.sentence !== undefined)
        say(`${event.threadId}: ${event.sentence}`);
      say(words());
    },
    end: () => {
      clearInterval(ticking);
      replace?.("");
    },
  };
}
