import type { Proposal } from "@caliban/memory";
import { terminalSafeLine } from "@caliban/common";
import type { Invocation } from "../../../command.ts";
import { acceptOne, rejectOne } from "../../memory/inbox/accept.ts";
import { type OpenedInbox, openInboxOf } from "../../memory/inbox/open-inbox.ts";
import { describeProposal } from "../../memory/inbox/proposal-output.ts";
import { fencedWhole, textContent } from "../updates/fence.ts";
import type { AskEditor, EditorChoice } from "./ask-editor.ts";

export interface ReviewInput {
  readonly invocation: Invocation;
  readonly ask: AskEditor;
  readonly say: (line: string) => void;
}

/** Asks about changes of memory that wait for the user. */
export interface ProposalReview {
  /** Leaves out what waits already. */
  readonly start: () => Promise<void>;
  /** Asks about what was proposed since. Unanswered proposals keep waiting, and are not asked about again. */
  readonly review: (signal: AbortSignal) => Promise<void>;
}

export function createProposalReview({ invocation, ask, say }: ReviewInput): ProposalReview {
  const known = new Set<string>();
  const inScope = (options: Invocation["options"]): Invocation => ({
    ...invocation,
    operands: [],
    json: false,
    options,
  });
  const scopes = [inScope({}), inScope({ user: true })];
  const newIn = async (
    scoped: Invocation,
  ): Promise<readonly [OpenedInbox, readonly Proposal[]]> => {
    const opened = await openInboxOf(scoped);
    const proposals = opened.proposals.filter(({ id }) => !known.has(id));
    for (const { id } of proposals) known.add(id);
    return [opened, proposals];
  };
  return {
    start: async () => {
      for (const scoped of scopes) await newIn(scoped);
    },
    review: async (signal) => {
      for (const scoped of scopes) {
        const [found, proposals] = await newIn(scoped);
        // Opened for writing only if there is something to write.
        const opened =
          proposals.length === 0 ? found : await openInboxOf(scoped, { forWriting: true });
        for (const proposal of proposals) {
          if (signal.aborted) return;
          const line = await reviewOne(scoped, { opened, proposal, ask });
          for (const text of line.split("\n").filter(Boolean)) say(text);
        }
      }
    },
  };
}

interface OneReview extends Pick<ReviewInput, "ask"> {
  readonly opened: OpenedInbox;
  readonly proposal: Proposal;
}

async function reviewOne(
  invocation: Invocation,
  { opened, proposal, ask }: OneReview,
): Promise<string> {
  const name = terminalSafeLine(proposal.topic.name);
  const answer = await ask({
    about: {
      toolCallId: `proposal-${proposal.id}`,
      title: `${proposal.action === "delete" ? "Delete from" : "Save to"} memory: ${name}`,
      kind: proposal.action === "delete" ? "delete" : "edit",
      status: "pending",
      content: [textContent(fencedWhole(await describeProposal(invocation, opened, proposal)))],
    },
    choices: CHOICES,
  });
  if (answer === "accept") {
    const { text, problem = "" } = await acceptOne(invocation, opened, proposal);
    return problem === "" ? `memory: ${text}` : `memory: ${problem}`;
  }
  if (answer === "reject") {
    const { text, problem = "" } = await rejectOne(opened, proposal);
    return `memory: ${text}${problem}`;
  }
  return `memory: ${name} waits in the inbox (${invocation.host.command("memory inbox")})`;
}

const CHOICES: readonly EditorChoice[] = [
  { value: "accept", label: "Accept", kind: "allow_once" },
  { value: "reject", label: "Reject", kind: "reject_always" },
  { value: "later", label: "Decide later", kind: "reject_once" },
];
