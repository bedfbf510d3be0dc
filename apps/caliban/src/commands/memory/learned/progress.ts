import type { PipelineEvent } from "@caliban/autonomous-memory";
import { terminalSafeLine } from "@caliban/common";
import type { Host } from "../../../host.ts";

export interface Progress {
  readonly show: (event: PipelineEvent) => void;
  /** Removes the progress line. */
  readonly end: () => void;
}

const TICK_MS = 500;

/** The progress of a run: one changing line on a terminal, otherwise one line per session. */
export function createProgress(host: Pick<Host, "progressLine" | "report" | "now">): Progress {
  const replace = host.progressLine();
  const startedMs = host.now();
  let [done, total, tokens] = [0, 0, 0];
  let isConsolidating = false;
  const render = (): string => {
    const what = isConsolidating ? "updating memory" : `${done} of ${total} sessions`;
    const seconds = Math.round((host.now() - startedMs) / 1000);
    return `${what} · ${tokens.toLocaleString("en-US")} tokens · ${seconds} s`;
  };
  // The time advances while a model works.
  const ticking = replace && setInterval(() => replace(render()), TICK_MS).unref();
  const print = (text: string): void => host.report(terminalSafeLine(text));
  return {
    show: (event) => {
      if (event.type === "planned") ({ total } = event);
      if (event.type === "session-end") ({ done, total } = event);
      if (event.type === "spent") ({ tokens } = event);
      if (event.type === "consolidation-start") isConsolidating = true;
      if (replace !== undefined) return replace(render());
      if (event.type === "notice" || event.type === "spent") return;
      if (event.type === "session-end" && event.message !== undefined)
        print(`${event.threadId}: ${event.message}`);
      print(render());
    },
    end: () => {
      clearInterval(ticking);
      replace?.("");
    },
  };
}
