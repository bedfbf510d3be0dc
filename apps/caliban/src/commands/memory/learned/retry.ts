import { terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openPipeline, withStore } from "./open-pipeline.ts";

/** `caliban memory retry`: what failed or waits is tried again at the next start. */
export async function retryFailed(invocation: Invocation): Promise<CommandResult> {
  const { place, off, warnings } = await openPipeline(invocation, { forWriting: true });
  const { now } = invocation.host;
  const retried = (await withStore(place, ({ admin }) => admin.retry(place.project, now()))) ?? 0;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ retried })}\n`
      : rendered(retried, off?.sentence),
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

function rendered(count: number, off: string | undefined): string {
  if (count === 0) return "nothing failed and nothing waits, so there is nothing to try again\n";
  const what = count === 1 ? "1 job gets" : `${count} jobs get`;
  const when =
    off === undefined
      ? "with the next conversation on a terminal, or now with `caliban memory rebuild --now`"
      : `but not before learning is on: ${off}`;
  return `${what} new attempts, ${when}\n`;
}
