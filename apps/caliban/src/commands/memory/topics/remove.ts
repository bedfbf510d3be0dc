import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { forgetSearch } from "../../../project/search/forget-search.ts";
import { UsageError } from "../../../usage-error.ts";
import { draftsDirectory, draftsOf, removeDraft } from "./edit/drafts.ts";
import { type OpenTopics, openTopicsToWrite, PERSON } from "./open-topics.ts";
import { topicNotFound } from "./topic-not-found.ts";

/** `caliban memory rm SLUG`: asks, and can be undone unless it is purged. */
export async function removeTopic(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const isPurged = invocation.options["purge"] === true;
  const topics = await openTopicsToWrite(invocation);
  const { store, warnings } = topics;
  const found = await store.read(name);
  // What is gone may still be in the history.
  const isKnown = found !== undefined || (isPurged && (await store.log(name)).length > 0);
  if (!isKnown) return await topicNotFound(invocation, name, store);
  const slug = found?.slug ?? name;
  if (!(await isMeant(invocation, terminalSafeLine(slug), isPurged))) {
    return {
      stdout: "",
      stderr: `caliban: ${terminalSafeLine(slug)} stays\n`,
      exitCode: EXIT.failed,
    };
  }
  const removed = await store.remove({ name, author: PERSON });
  const erased = isPurged ? await store.erase(slug) : undefined;
  if (isPurged) await forgetTraces(invocation, topics, slug);
  const change = removed.kind === "removed" ? removed.change : undefined;
  const report = { kind: "removed", slug, change, erased };
  return {
    stdout: invocation.json ? `${terminalSafeJson(report)}\n` : renderRemoval(report),
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

/** What there is of a topic besides its file and its history. */
async function forgetTraces({ host }: Invocation, topics: OpenTopics, slug: string): Promise<void> {
  draftsOf(draftsDirectory(topics), slug).forEach(removeDraft);
  const { project } = topics;
  // A directory that somebody names may be that of many projects.
  const isShared = project.settings.values["memory.directory"] !== undefined;
  const sessions = isShared ? undefined : await project.sessions();
  forgetSearch(host, sessions?.project);
}

function renderRemoval({
  slug,
  change,
  erased,
}: {
  readonly slug: string;
  readonly change: string | undefined;
  readonly erased: number | undefined;
}): string {
  const how =
    erased === undefined
      ? `\`caliban memory undo ${change}\` brings it back`
      : `${erased} ${erased === 1 ? "change" : "changes"} of it erased for good`;
  return `removed ${terminalSafeLine(slug)}; ${how}\n`;
}

async function isMeant(
  { host, options }: Invocation,
  slug: string,
  isPurged: boolean,
): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError(`rm asks before it removes, and nobody can answer here; add --force`);
  return await host.confirm(
    isPurged ? `Remove ${slug} for good, with its history?` : `Remove ${slug}?`,
  );
}
