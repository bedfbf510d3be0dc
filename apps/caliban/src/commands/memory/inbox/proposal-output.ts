import { parseTopic, type Proposal } from "@caliban/memory";
import { createStyle } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { output } from "../output.ts";
import { didYouMean } from "../topics/find-topic-name.ts";
import { findProposal, type OpenedInbox } from "./open-inbox.ts";
import { enforceCommand, type ProposalView, renderProposal } from "./render-proposal.ts";

/** @throws UsageError without an id */
export function requireProposal(
  { host }: Invocation,
  { proposals, topics }: OpenedInbox,
  id: string | undefined,
): Proposal | undefined {
  if (id === undefined) {
    const list = host.command(`memory inbox${topics.userFlag}`);
    throw new UsageError(`name a proposal. List them with: ${list}`);
  }
  return findProposal(proposals, id);
}

export function notFound(
  invocation: Invocation,
  { stderr, topics, proposals }: OpenedInbox,
  id: string,
): CommandResult {
  const list = invocation.host.command(`memory inbox${topics.userFlag}`);
  const ids = proposals.map((proposal) => proposal.id);
  return output(invocation, {
    data: { found: false, id },
    text: "",
    stderr: [
      ...stderr,
      `no proposal ${JSON.stringify(id)}${didYouMean(id, ids)}. List them with: ${list}`,
    ],
    exitCode: EXIT.nothingFound,
  });
}

/** A proposal as the user reviews it, with the command for a rule that it suggests. */
export async function describeProposal(
  { host }: Invocation,
  opened: OpenedInbox,
  proposal: Proposal,
): Promise<string> {
  const text = renderProposal(proposal, {
    nowMs: host.now(),
    style: createStyle(host.hasColor("stdout")),
    current: await shownNow(opened, proposal),
  });
  return `${text}${enforceHint(host, proposal)}${approveHint(host, proposal)}`;
}

/** How to use what an author shares without looking at each change. */
function approveHint({ command }: Invocation["host"], { reason }: Proposal): string {
  if (reason !== "TEAM") return "";
  return `\nTo use everything that an author signs: ${command("memory team approve")}\n`;
}

/** What the user has now: of a change of the team, what the team had before, or has now. */
async function shownNow(opened: OpenedInbox, proposal: Proposal): Promise<ProposalView["current"]> {
  return (await comparedText(opened, proposal)) ?? (await currentOf(opened, proposal))?.topic;
}

/** What the team has, for a proposal that concerns it. */
export async function comparedText(
  opened: OpenedInbox,
  { reason, before, topic }: Proposal,
): Promise<ProposalView["current"]> {
  if (reason === "TEAM") return before === undefined ? undefined : await parseTopic(before);
  if (reason !== "TEAM_CONFLICT") return undefined;
  const { readTeamTopics } = await import("../../../project/team/team-topics.ts");
  const shared = await readTeamTopics(opened.topics.project);
  return (await shared?.read(topic.name))?.topic;
}

/** The topic that a proposal would change, as it is now. */
export async function currentOf(
  { topics }: OpenedInbox,
  { action, topic }: Proposal,
): ReturnType<OpenedInbox["topics"]["store"]["read"]> {
  return action === "write" ? undefined : await topics.store.read(topic.name);
}

/** Empty if the proposal suggests no rule. */
export function enforceHint({ command }: Invocation["host"], proposal: Proposal): string {
  const words = enforceCommand(proposal);
  if (words === undefined) return "";
  return `\nThe agent suggests a rule. Accepting the topic does not set it. To set it, run: ${command(words)}\n`;
}
