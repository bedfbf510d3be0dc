import type { ProposalReason, ProposalRequest, StoredTopic } from "@caliban/memory";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import type { ApiClient } from "../request/api-request.ts";
import type { OpenedStore } from "../served-store.ts";

type Change = Pick<ProposalRequest, "action" | "topic">;

/** Why a change waits for the user; `undefined` if it can be saved. */
export async function reasonToHold(
  change: Change,
  { inbox }: Pick<OpenedStore, "inbox">,
  current: StoredTopic | undefined,
): Promise<ProposalReason | undefined> {
  if (inbox === undefined) return undefined;
  const { judgeChange } = await import("../../memory/review/judge-change.ts");
  const { reason } = judgeChange({
    change,
    replaced: current === undefined ? [] : [current],
    // The conversation of the client is not known.
    seen: { userTexts: [], results: [] },
    recentCalls: [],
    isOtherAgent: true,
  });
  return reason ?? (inbox.holds === "all" ? "SETTING" : undefined);
}

/** Puts a change into the inbox. The answer is not a memory: there is none before the user accepts it. */
export async function proposeMemory(
  change: Change & { readonly reason: ProposalReason; readonly path: string },
  { inbox, id }: Pick<OpenedStore, "inbox" | "id">,
  { name: agent }: ApiClient,
): Promise<ApiAnswer> {
  if (inbox === undefined) throw new Error("a change can only wait in an inbox");
  const { reason, path, ...request } = change;
  const source = { scope: "project", origin: "other-agent", reason, agent } as const;
  // The union of both kinds of changes is kept by taking it apart.
  const proposal = await inbox.propose(
    request.action === "delete"
      ? { ...source, action: "delete", topic: request.topic }
      : { ...source, ...requireText(request) },
  );
  return answer(
    {
      type: "memory_proposal",
      id: `memprop_${proposal.id}`,
      memory_store_id: id,
      path,
      action: request.action,
      message: "not saved yet: the change waits for the user of this memory; do not repeat it",
    },
    202,
  );
}

function requireText(
  request: Change,
): Pick<Extract<ProposalRequest, { readonly action: "write" | "edit" }>, "action" | "topic"> {
  const { action, topic } = request;
  if (action === "delete" || !("body" in topic))
    throw new StoreApiError("api_error", "a proposal has no text");
  return { action, topic };
}
