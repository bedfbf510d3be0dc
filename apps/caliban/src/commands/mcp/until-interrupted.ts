import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";

/** The first wish to end, as the exit code that it leads to. */
export function untilInterrupted({ onInterrupt }: Pick<Host, "onInterrupt">): {
  readonly ended: Promise<ExitCode>;
  readonly stop: () => void;
} {
  const { promise: ended, resolve } = Promise.withResolvers<ExitCode>();
  const stop = onInterrupt((reason) =>
    // A client that is gone has what it wanted.
    resolve(reason === "output-lost" ? EXIT.done : SIGNAL_EXIT[reason]),
  );
  return { ended, stop };
}
