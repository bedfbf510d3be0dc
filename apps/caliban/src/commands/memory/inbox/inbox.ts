import type { CommandResult, Invocation } from "../../../command.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { openInboxOf } from "./open-inbox.ts";
import { currentOf, describeProposal, notFound, requireProposal } from "./proposal-output.ts";
import { proposalRow } from "./render-proposal.ts";

/** `caliban memory inbox`: what the agent proposes. Accepting and rejecting is up to the user. */
export async function showInbox(invocation: Invocation): Promise<CommandResult> {
  const [action = "list", id] = invocation.operands;
  const run = ACTIONS.get(action);
  if (run === undefined) {
    const known = [...ACTIONS.keys()].join(", ");
    throw new UsageError(`unknown action ${JSON.stringify(action)}; use one of ${known}`);
  }
  return await run(invocation, id);
}

type Action = (invocation: Invocation, id: string | undefined) => Promise<CommandResult>;

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["list", listProposals],
  ["show", showProposal],
  [
    "accept",
    async (invocation, id) => await (await import("./accept.ts")).acceptProposals(invocation, id),
  ],
  [
    "reject",
    async (invocation, id) => await (await import("./accept.ts")).rejectProposals(invocation, id),
  ],
  ["review", async (invocation) => await (await import("./review.ts")).reviewInbox(invocation)],
]);

async function listProposals(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const { proposals, topics, stderr } = await openInboxOf(invocation);
  const rows = renderNamedRows(
    proposals.map((proposal) => proposalRow(proposal, host.now())),
    host,
  );
  const review = host.command(`memory inbox review${topics.userFlag}`);
  const footer = `${formatCount(proposals.length, "proposal")} ${proposals.length === 1 ? "waits" : "wait"}. Review with: ${review}\n`;
  const isEmpty = proposals.length === 0;
  return output(invocation, {
    data: { proposals },
    text: isEmpty ? "" : `${rows.join("")}\n${footer}`,
    stderr: isEmpty ? [...stderr, "the inbox is empty"] : stderr,
  });
}

async function showProposal(
  invocation: Invocation,
  id: string | undefined,
): Promise<CommandResult> {
  const opened = await openInboxOf(invocation);
  const proposal = requireProposal(invocation, opened, id);
  if (proposal === undefined) return notFound(invocation, opened, id ?? "");
  return output(invocation, {
    data: { proposal, current: (await currentOf(opened, proposal))?.text },
    text: await describeProposal(invocation, opened, proposal),
    stderr: opened.stderr,
  });
}
