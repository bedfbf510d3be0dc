import type { Proposal } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { requireAutoMemory, requireUserMemory } from "../../../project/auto-memory-off.ts";
import { isUsageError, UsageError } from "../../../usage-error.ts";
import { isUserScope } from "../topics/open-topics.ts";
import { acceptOne, type Outcome, rejectOne } from "./accept.ts";
import { editProposal } from "./edit-proposal.ts";
import { type OpenedInbox, openInboxOf } from "./open-inbox.ts";
import { describeProposal } from "./proposal-output.ts";

/** `caliban memory inbox review`: shows one proposal after another, and asks about each. */
export async function reviewInbox(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  if (!host.isInteractive()) {
    const accept = host.command("memory inbox accept <id>");
    throw new UsageError(`review requires a terminal; in scripts, use: ${accept}`);
  }
  const opened = await openInboxOf(invocation, { forWriting: true });
  if (isUserScope(invocation)) requireUserMemory(opened.topics.project);
  else requireAutoMemory(opened.topics.project);
  const { proposals } = opened;
  if (proposals.length === 0) return ended("the inbox is empty\n", opened);
  const lines: string[] = [];
  for (const [at, proposal] of proposals.entries()) {
    const count = `${at + 1} of ${proposals.length}`;
    host.stderr(`${count}: ${await describeProposal(invocation, opened, proposal)}`);
    const answer = await host.choose("Save it?", choicesFor(proposal));
    if (answer === undefined || answer === "quit") break;
    if (answer === "skip") continue;
    const { text, problem } = await act(invocation, { opened, proposal, answer });
    lines.push(text, ...(problem === undefined ? [] : [`${problem}\n`]));
  }
  return ended(lines.join(""), opened);
}

const ACCEPT = { value: "accept", label: "Accept" };
const EDIT = { value: "edit", label: "Edit, then accept" };
const REJECT = { value: "reject", label: "Reject" };
const SKIP = { value: "skip", label: "Skip" };
const QUIT = { value: "quit", label: "Quit" };

function choicesFor({ action, reason }: Proposal): readonly (typeof ACCEPT)[] {
  // Of a change of the team, the text is not the user's to change.
  return action === "delete" || reason === "TEAM"
    ? [ACCEPT, REJECT, SKIP, QUIT]
    : [ACCEPT, EDIT, REJECT, SKIP, QUIT];
}

interface Answered {
  readonly opened: OpenedInbox;
  readonly proposal: Proposal;
  readonly answer: string;
}

async function act(
  invocation: Invocation,
  { opened, proposal, answer }: Answered,
): Promise<Pick<Outcome, "text" | "problem">> {
  if (answer === "reject") return await rejectOne(opened, proposal);
  if (answer === "accept") return await acceptOne(invocation, opened, proposal);
  try {
    const edited = await editProposal(invocation, opened, proposal);
    return await acceptOne(invocation, opened, edited);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { text: "", problem: error.message };
  }
}

function ended(text: string, { stderr }: OpenedInbox): CommandResult {
  return { stdout: text, stderr, exitCode: EXIT.done };
}
