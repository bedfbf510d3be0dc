import { hasCode, nodeDisk, removeIfExists } from "@caliban/common/node";
import type { Proposal, ProposedChange } from "../../inbox/proposal.ts";
import { parseBody } from "../../store/plan-write.ts";
import type { Author, StoredTopic, TopicStore } from "../../store/topic-store.ts";
import { oneLine } from "../../topics/one-line.ts";
import { claimedPath, isDamaged, proposalPath, readProposal, whileLocked } from "./inbox-files.ts";

/** The store that an accepted proposal is written to. */
type AcceptingStore = Pick<TopicStore, "read" | "write" | "remove">;

export interface AcceptInput {
  readonly store: AcceptingStore;
  /** Replaces or deletes the topic even if it changed since it was proposed. */
  readonly replace?: boolean | undefined;
}

export type AcceptedProposal =
  | {
      readonly kind: "accepted";
      readonly proposal: Proposal;
      readonly slug: string;
      /** The id of the change in the history; none if the topic is as proposed already. */
      readonly change?: string | undefined;
      /** Set when the index is nearly full or over its limit. */
      readonly warning?: string | undefined;
    }
  /** The topic changed since the proposal was made. The proposal stays in the inbox. */
  | {
      readonly kind: "conflict";
      readonly proposal: Proposal;
      /** The topic as it is; `undefined` if it was deleted. */
      readonly current: StoredTopic | undefined;
    }
  /** No such proposal: another process accepted or rejected it. */
  | { readonly kind: "gone" };

/**
 * Writes a proposal to the store, then removes it from the inbox. The first process to rename its file accepts it. A crash
 * before the file is removed returns the proposal to the inbox.
 */
export async function acceptProposal(
  directory: string,
  id: string,
  input: AcceptInput,
): Promise<AcceptedProposal> {
  return await whileLocked(directory, async () => {
    const proposal = await claim(directory, id);
    if (proposal === undefined) return { kind: "gone" };
    let isApplied = false;
    try {
      const result = await apply(proposal, input);
      isApplied = result.kind === "accepted";
      return result;
    } finally {
      if (isApplied) await removeIfExists(nodeDisk, claimedPath(directory, id));
      else await release(directory, id);
    }
  });
}

/** Removes a proposal; `undefined` if there is none. */
export async function rejectProposal(directory: string, id: string): Promise<Proposal | undefined> {
  return await whileLocked(directory, async () => {
    const proposal = await claim(directory, id);
    if (proposal !== undefined) await removeIfExists(nodeDisk, claimedPath(directory, id));
    return proposal;
  });
}

async function claim(directory: string, id: string): Promise<Proposal | undefined> {
  const found = readProposal(proposalPath(directory, id), id);
  if (found === undefined || isDamaged(found)) return undefined;
  try {
    await nodeDisk.rename(proposalPath(directory, id), claimedPath(directory, id));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  return found;
}

async function release(directory: string, id: string): Promise<void> {
  try {
    await nodeDisk.rename(claimedPath(directory, id), proposalPath(directory, id));
  } catch (error) {
    // Another process took the lock over and returned it already.
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

async function apply(
  proposal: Proposal,
  { store, replace = false }: AcceptInput,
): Promise<AcceptedProposal> {
  const author = authorOf(proposal);
  if (proposal.action === "delete") {
    const { name, ifMatch } = proposal.topic;
    const result = await store.remove({ name, author, ...(replace ? {} : { ifMatch }) });
    if (result.kind === "conflict") {
      return { kind: "conflict", proposal, current: result.current };
    }
    if (result.kind === "missing") return { kind: "accepted", proposal, slug: result.slug };
    return { kind: "accepted", proposal, slug: result.topic.slug, change: result.change };
  }
  const { topic } = proposal;
  const request = replace ? { ...topic, ifMatch: undefined, replace } : topic;
  const result = await store.write({ ...request, author });
  if (result.kind === "written") {
    const { slug, change, warning } = result;
    return { kind: "accepted", proposal, slug, change, warning };
  }
  const current = result.kind === "conflict" ? result.current : undefined;
  // The process that accepted it before may have died after writing.
  if (current !== undefined && hasText(current, topic)) {
    return { kind: "accepted", proposal, slug: current.slug };
  }
  return { kind: "conflict", proposal, current };
}

function authorOf({ agent, session, after, origin }: Proposal): Author {
  return { who: "person", agent, session, after, origin };
}

function hasText(
  { topic: current }: StoredTopic,
  topic: Extract<ProposedChange, { readonly action: "write" | "edit" }>["topic"],
): boolean {
  return (
    current.description === oneLine(topic.description) &&
    current.type === topic.type &&
    current.body.trim() === parseBody(topic.body).trim()
  );
}
