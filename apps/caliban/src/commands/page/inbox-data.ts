import type { Proposal } from "@caliban/memory";
import type { MemoryPageData, PageScope } from "@caliban/page";
import { requireAutoMemory, requireUserMemory } from "../../project/auto-memory-off.ts";
import { type OpenedInbox, openInboxOf } from "../memory/inbox/open-inbox.ts";
import { REASONS } from "../memory/inbox/render-proposal.ts";
import { comparedText, currentOf } from "../memory/inbox/proposal-output.ts";
import type { PageContext } from "./page-context.ts";
import { inScope } from "./scoped-invocation.ts";
import { orRefused, refused } from "./or-refused.ts";

type InboxData = Pick<MemoryPageData, "proposals" | "accept" | "reject">;

/** Reviews what the agent proposes. */
export function createInboxData({ invocation, forget }: PageContext): InboxData {
  const open = async (scope: PageScope, forWriting: boolean): Promise<OpenedInbox> => {
    const opened = await openInboxOf(inScope(invocation, scope), { forWriting });
    if (forWriting && scope === "user") requireUserMemory(opened.topics.project);
    else if (forWriting) requireAutoMemory(opened.topics.project);
    return opened;
  };
  return {
    proposals: async (scope) => {
      const opened = await open(scope, false);
      return await Promise.all(
        opened.proposals.map(async (proposal) => ({
          proposal,
          why: REASONS[proposal.reason],
          current: await currentOf(opened, proposal),
          before: await comparedWith(opened, proposal),
        })),
      );
    },
    accept: orRefused(invocation.host, async ({ scope, id, isForced, edited }) => {
      const { inbox, topics } = await open(scope, true);
      const proposal = await inbox.read(id);
      if (proposal === undefined) return GONE;
      if (edited !== undefined) await inbox.edit(id, { ...editable(proposal), ...edited });
      const result = await inbox.accept(id, { store: topics.store, replace: isForced });
      forget();
      if (result.kind === "gone") return GONE;
      if (result.kind === "conflict") return { kind: "conflict", current: result.current };
      const verb = proposal.action === "delete" ? "deleted" : "saved";
      return { kind: "done", message: `${verb} ${result.slug}`, change: result.change };
    }),
    reject: orRefused(invocation.host, async ({ scope, id }) => {
      const { inbox } = await open(scope, false);
      const rejected = await inbox.reject(id);
      if (rejected === undefined) return GONE;
      return { kind: "done", message: `rejected ${id} (${rejected.topic.name})` };
    }),
  };
}

/** Of what concerns the team: what the team has. */
async function comparedWith(opened: OpenedInbox, proposal: Proposal): Promise<string | undefined> {
  return (await comparedText(opened, proposal))?.body;
}

const GONE = refused(
  "the proposal is no longer in the inbox: it was accepted or rejected elsewhere",
);

/** The part of a proposal that an edit keeps. A deletion has no text, and the inbox ignores an edit of it. */
function editable({ topic }: Proposal): {
  readonly name: string;
  readonly ifMatch?: string | undefined;
} {
  return topic;
}
