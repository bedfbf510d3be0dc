import type { Proposal } from "@caliban/memory";
import type { Inbox } from "@caliban/memory/node";
import type { Invocation } from "../../../command.ts";
import { openProjectInbox } from "../../../project/inbox.ts";
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
 * The proposal with an id, or with one that starts so.
 * @throws UsageError for an id that several have
 */
export function findProposal(proposals: readonly Proposal[], id: string): Proposal | undefined {
  const found = proposals.filter((proposal) => id !== "" && proposal.id.startsWith(id));
  if (found.length > 1)
    throw new UsageError(`several proposals start with ${JSON.stringify(id)}; use a longer id`);
  return found[0];
}
