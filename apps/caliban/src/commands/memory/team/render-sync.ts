import { terminalSafeLine } from "@caliban/common";
import type { SyncedResult, TopicChange } from "@caliban/memory-git";
import type { Host } from "../../../host.ts";
import type { TeamSync } from "../../../project/team/sync-team.ts";
import { formatCount } from "../../format-count.ts";

type Spelling = Pick<Host, "command">;

/** Whether the remote was not reached, or could not be used. */
export function isFailed({ result }: TeamSync): boolean {
  return result.kind !== "synced";
}

/** What a sync did, for the user: at most a few lines. */
export function renderSync(sync: TeamSync, host: Spelling): string {
  const { result, shared, notShared, proposed, keptByOthers } = sync;
  const lines = [
    ...(shared.length === 0 ? [] : [`shared ${names(shared)}`]),
    ...notShared.map(
      ({ slug, message }) => `not shared: ${terminalSafeLine(`${slug}: ${message}`)}`,
    ),
    ...(result.kind === "synced" ? syncedLines(result, host) : [failureOf(result, host)]),
    ...(proposed.length === 0
      ? []
      : [
          `others changed ${names(proposed)} in another way. Theirs is used, and yours waits in the inbox: ${host.command("memory inbox")}`,
        ]),
    ...(keptByOthers.length === 0
      ? []
      : [
          `others changed ${names(keptByOthers)}, which you unshared, so it stays shared. To remove it anyway, unshare it again.`,
        ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function syncedLines(result: SyncedResult, host: Spelling): readonly string[] {
  const { received, sent, waiting, refused, unsent } = result;
  const isQuiet = received.length + sent.length + unsent.length + waiting.length === 0;
  return [
    ...(isQuiet ? ["up to date"] : []),
    ...(received.length === 0 ? [] : [`received ${changes(received)}`]),
    ...(sent.length === 0 ? [] : [`sent ${changes(sent)}`]),
    ...unsent.map(({ slug, message }) => `not sent: ${terminalSafeLine(`${slug}: ${message}`)}`),
    ...(waiting.length === 0
      ? []
      : [
          `${formatCount(waiting.length, "change")} by authors you have not approved ${waiting.length === 1 ? "waits" : "wait"} in the inbox: ${host.command("memory inbox")}`,
        ]),
    ...(refused.length === 0
      ? []
      : [
          `${formatCount(refused.length, "file")} of the team cannot be used; see: ${host.command("memory team status")}`,
        ]),
  ];
}

type Failure = Exclude<TeamSync["result"], SyncedResult>;

function failureOf(result: Failure, { command }: Spelling): string {
  switch (result.kind) {
    case "offline":
      return `the remote cannot be reached: ${terminalSafeLine(result.message)}. Your changes are kept, and sent by the next sync.`;
    case "denied":
      return `the remote refuses you: ${terminalSafeLine(result.message)}`;
    case "unusable":
      return `what the remote has is not used: ${terminalSafeLine(result.message)} What you received before stays.`;
    case "contended":
      return `others changed the shared memory at the same time, again and again. Try later: ${command("memory team sync")}`;
    case "rewritten":
      return result.after === undefined
        ? `the shared memory was deleted on the remote. Nothing changed here. To start again with nothing, run: ${command("memory team sync --accept-rewrite")}`
        : `the history of the shared memory was replaced on the remote. Nothing was taken over. Ask your team; if it was on purpose, run: ${command("memory team sync --accept-rewrite")}`;
  }
}

const MAX_NAMED = 5;

function names(slugs: readonly string[]): string {
  const named = slugs.slice(0, MAX_NAMED).map(terminalSafeLine).join(", ");
  return slugs.length > MAX_NAMED ? `${named} and ${slugs.length - MAX_NAMED} more` : named;
}

/** `deploy, ports (removed)` */
export function changes(all: readonly TopicChange[]): string {
  return names(all.map(({ slug, action }) => (action === "unshare" ? `${slug} (unshared)` : slug)));
}

export function syncJson({ result, shared, notShared, proposed, keptByOthers }: TeamSync): object {
  return { ...result, shared, notShared, proposed, keptByOthers };
}
