import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { forgetSearch } from "../../../project/search/forget-search.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { draftsDirectory, draftsOf, removeDraft } from "./edit/drafts.ts";
import { type OpenTopics, openTopicsForWriting, USER } from "./open-topics.ts";
import { topicNotFound } from "./topic-output.ts";

/** `caliban memory rm SLUG`: asks first. It can be undone, unless the topic is purged. */
export async function removeTopic(invocation: Invocation): Promise<CommandResult> {
  const [name = ""] = invocation.operands;
  const isPurged = invocation.options["purge"] === true;
  const topics = await openTopicsForWriting(invocation);
  const { store, warnings } = topics;
  const found = await store.read(name);
  // A removed topic may still be in the history.
  const isKnown = found !== undefined || (isPurged && (await store.log(name)).length > 0);
  if (!isKnown) return await topicNotFound(invocation, name, store);
  const slug = found?.slug ?? name;
  if (!(await isConfirmed(invocation, terminalSafeLine(slug), isPurged))) {
    const stderr = [`${slug} was not removed`];
    return { stdout: "", stderr, exitCode: EXIT.failed };
  }
  const removed = await store.remove({ name, author: USER });
  const erased = isPurged ? await store.erase(slug) : undefined;
  if (isPurged) await removeTraces(invocation, topics, slug);
  const change = removed.kind === "removed" ? removed.change : undefined;
  const report = { kind: "removed", slug, change, erased };
  return {
    stdout: invocation.json
      ? `${terminalSafeJson(report)}\n`
      : renderRemoval(report, invocation.host),
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

async function isConfirmed(
  { host, options }: Invocation,
  slug: string,
  isPurged: boolean,
): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("rm asks for confirmation, and stdin is not a terminal; pass --force");
  return await host.confirm(
    isPurged ? `Permanently remove ${slug} and its history?` : `Remove ${slug}?`,
  );
}

/** Removes what is left of a purged topic outside its file and the history. */
async function removeTraces({ host }: Invocation, topics: OpenTopics, slug: string): Promise<void> {
  draftsOf(draftsDirectory(topics), slug).forEach(removeDraft);
  const { project } = topics;
  // Several projects may use a directory that the user chose.
  const isShared = project.settings.values["memory.directory"] !== undefined;
  const sessions = isShared ? undefined : await project.sessions();
  forgetSearch(host, sessions?.project);
}

function renderRemoval(
  report: {
    readonly slug: string;
    readonly change: string | undefined;
    readonly erased: number | undefined;
  },
  { command }: Host,
): string {
  const { slug, change, erased } = report;
  const result =
    erased === undefined
      ? `Restore it with: ${command(`memory undo ${change}`)}`
      : `${formatCount(erased, "change")} permanently erased from the history`;
  return `removed ${terminalSafeLine(slug)}. ${result}\n`;
}
