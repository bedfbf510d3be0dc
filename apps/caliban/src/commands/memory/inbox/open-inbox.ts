import type { Proposal } from "@caliban/memory";
import type { Inbox } from "@caliban/memory/node";
import type { Invocation } from "../../../command.ts";
import { openProjectInbox } from "../../../project/inbox.ts";
import { onlyMatch } from "../topics/find-topic-name.ts";
import { UsageError } from "../../../usage-error.ts";
import { isUserScope, type OpenTopics, openTopics } from "../topics/open-topics.ts";

/** An inbox, and the topics that its proposals are about. */
export interface OpenedInbox {
  readonly inbox: Inbox;
  readonly topics: OpenTopics;
  readonly proposals: readonly Proposal[];
  /** Warnings of the settings, and files that cannot be used. */
  readonly stderr: readonly string[];
}

/** @throws UsageError when no home directory is known */
export async function openInboxOf(
  invocation: Invocation,
  access?: { readonly forWriting: boolean },
): Promise<OpenedInbox> {
  const topics = await openTopics(invocation, access);
  const scope = isUserScope(invocation) ? "user" : "project";
  const inbox = await openProjectInbox(topics.project, scope);
  if (inbox === undefined)
    throw new UsageError("no home directory found, so there is no inbox; set HOME");
  const { proposals, problems } = await inbox.list();
  const damaged = problems.map(({ message }) => message);
  return { inbox, topics, proposals, stderr: [...topics.warnings, ...damaged] };
}

/**
 * The proposal with an id, or the only one whose id contains the text.
 * @throws UsageError that lists the ids, if there are several
 */
export function findProposal(proposals: readonly Proposal[], id: string): Proposal | undefined {
  if (id === "") return undefined;
  const ids = proposals.map((proposal) => proposal.id);
  const only = onlyMatch(id, ids, "proposals");
  return proposals.find((proposal) => proposal.id === only);
}
