import { spellCommands, terminalSafeLine } from "@caliban/common";
import { isMemoryError, type Proposal } from "@caliban/memory";
import type { AcceptedProposal } from "@caliban/memory/node";
import { createStyle } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { requireAutoMemory, requireUserMemory } from "../../../project/auto-memory-off.ts";
import { UsageError } from "../../../usage-error.ts";
import { output } from "../output.ts";
import { isUserScope } from "../topics/open-topics.ts";
import { editProposal } from "./edit-proposal.ts";
import { type OpenedInbox, openInboxOf } from "./open-inbox.ts";
import { enforceHint, notFound, requireProposal } from "./proposal-output.ts";
import { renderProposal } from "./render-proposal.ts";

/** What became of one proposal. */
export interface Outcome {
  readonly data: object;
  readonly text: string;
  readonly problem?: string | undefined;
}

/** `caliban memory inbox accept ID`: saves what is proposed. `--all` accepts everything that does not conflict. */
export async function acceptProposals(
  invocation: Invocation,
  id: string | undefined,
): Promise<CommandResult> {
  const opened = await openInboxOf(invocation, { forWriting: true });
  if (isUserScope(invocation)) requireUserMemory(opened.topics.project);
  else requireAutoMemory(opened.topics.project);
  const isEdited = invocation.options["edit"] === true;
  return await forEach(invocation, { opened, id }, async (proposal) => {
    const edited = isEdited ? await editProposal(invocation, opened, proposal) : proposal;
    return await acceptOne(invocation, opened, edited);
  });
}

/** `caliban memory inbox reject ID`: removes a proposal. */
export async function rejectProposals(
  invocation: Invocation,
  id: string | undefined,
): Promise<CommandResult> {
  const opened = await openInboxOf(invocation);
  return await forEach(
    invocation,
    { opened, id },
    async (proposal) => await rejectOne(opened, proposal),
  );
}

async function forEach(
  invocation: Invocation,
  { opened, id }: { readonly opened: OpenedInbox; readonly id: string | undefined },
  act: (proposal: Proposal) => Promise<Outcome>,
): Promise<CommandResult> {
  const isAll = invocation.options["all"] === true;
  if (isAll && id !== undefined) throw new UsageError("pass either --all or one proposal");
  if (isAll) return await forAll(invocation, opened, act);
  const proposal = requireProposal(invocation, opened, id);
  if (proposal === undefined) return notFound(invocation, opened, id ?? "");
  const { data, text, problem } = await act(proposal);
  const stderr = problem === undefined ? opened.stderr : [...opened.stderr, problem];
  const exitCode = problem === undefined ? EXIT.done : EXIT.failed;
  return output(invocation, { data, text, stderr, exitCode });
}

async function forAll(
  invocation: Invocation,
  { proposals, stderr }: OpenedInbox,
  act: (proposal: Proposal) => Promise<Outcome>,
): Promise<CommandResult> {
  const outcomes: Outcome[] = [];
  for (const proposal of proposals) outcomes.push(await act(proposal));
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  return output(invocation, {
    data: { results: outcomes.map(({ data }) => data) },
    text: outcomes.map(({ text }) => text).join(""),
    stderr: [...stderr, ...(outcomes.length === 0 ? ["the inbox is empty"] : []), ...problems],
    exitCode: problems.length === 0 ? EXIT.done : EXIT.failed,
  });
}

/** Accepts one proposal. A conflict shows both texts and leaves both as they are. */
export async function acceptOne(
  invocation: Invocation,
  { inbox, topics }: OpenedInbox,
  proposal: Proposal,
): Promise<Outcome> {
  const { host, options } = invocation;
  const { id } = proposal;
  try {
    const replace = options["force"] === true;
    const result = await inbox.accept(id, { store: topics.store, replace });
    return toOutcome(invocation, result, { id, userFlag: topics.userFlag });
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    const problem = `${id} stays in the inbox: ${spellCommands(error, host.command)}`;
    return { data: { kind: "failed", id, code: error.code }, text: "", problem };
  }
}

function toOutcome(
  { host }: Invocation,
  result: AcceptedProposal,
  { id, userFlag }: { readonly id: string; readonly userFlag: string },
): Outcome {
  if (result.kind === "gone") {
    const problem = `${id} is no longer in the inbox: it was accepted or rejected elsewhere`;
    return { data: { kind: "gone", id }, text: "", problem };
  }
  const { proposal } = result;
  const slug = terminalSafeLine(proposal.topic.name);
  if (result.kind === "conflict") {
    const { current } = result;
    const style = createStyle(host.hasColor("stdout"));
    const shown = renderProposal(proposal, { nowMs: host.now(), style, current: current?.topic });
    const accept = host.command(`memory inbox accept ${id}${userFlag} --force`);
    const edit = host.command(`memory inbox accept ${id}${userFlag} --edit`);
    const what = current === undefined ? "was deleted" : "changed";
    const problem = `${slug} ${what} since this was proposed, so nothing was saved. To save it anyway: ${accept}. To merge them first: ${edit}`;
    return { data: { kind: "conflict", id, current: current?.text }, text: shown, problem };
  }
  const isTeams = proposal.reason === "TEAM";
  const [removed, saved] = isTeams ? ["removed", "now used:"] : ["deleted", "saved"];
  const verb = proposal.action === "delete" ? removed : saved;
  const { change, warning } = result;
  const undo =
    change === undefined ? "" : `. Undo with: ${host.command(`memory undo ${change}${userFlag}`)}`;
  const warned = warning === undefined ? "" : `warning: ${warning}\n`;
  return {
    data: { kind: "accepted", id, slug: result.slug, change },
    text: `${verb} ${slug}${undo}\n${warned}${enforceHint(host, proposal)}`,
  };
}

/** Rejects one proposal. */
export async function rejectOne({ inbox }: OpenedInbox, { id, topic }: Proposal): Promise<Outcome> {
  const rejected = await inbox.reject(id);
  if (rejected === undefined) {
    const problem = `${id} is no longer in the inbox`;
    return { data: { kind: "gone", id }, text: "", problem };
  }
  const slug = terminalSafeLine(topic.name);
  return { data: { kind: "rejected", id }, text: `rejected ${id} (${slug})\n` };
}
