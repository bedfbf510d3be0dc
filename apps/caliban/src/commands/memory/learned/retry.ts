import { type SpellCommand, terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openLearned, withStore } from "./open-learned.ts";

/** `caliban memory retry`: retries everything that failed or waits, with the next run. */
export async function retryFailed(invocation: Invocation): Promise<CommandResult> {
  const { location, off, warnings } = await openLearned(invocation, { forWriting: true });
  const { now, command } = invocation.host;
  const retried =
    (await withStore(location, ({ admin }) => admin.retry(location.project, now()))) ?? 0;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ retried })}\n`
      : renderRetried(retried, { off: off?.message, command }),
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

function renderRetried(
  count: number,
  { off, command }: { readonly off: string | undefined; readonly command: SpellCommand },
): string {
  if (count === 0) return "nothing to retry: no failed or waiting jobs\n";
  const jobs = count === 1 ? "1 job" : `${count} jobs`;
  const when =
    off === undefined
      ? `with the next conversation on a terminal. To retry now: ${command("memory rebuild --now")}`
      : `when learning is on again: ${off}`;
  return `${jobs} will be retried ${when}\n`;
}
