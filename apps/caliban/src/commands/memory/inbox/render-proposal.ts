import { terminalSafe, terminalSafeLine, timeAgo } from "@caliban/common";
import type { Proposal, ProposalReason } from "@caliban/memory";
import type { Style } from "../../../cli/style.ts";
import { renderTextDiff } from "../../render-text-diff.ts";

/** Why a proposal waits, for the user. */
export const REASONS: Readonly<Record<ProposalReason, string>> = {
  INSTRUCTION: "tells agents what to do, and you did not say it",
  SECURITY: "about commands, addresses or safeguards, and you did not say it",
  NOT_REQUESTED: "you did not ask for it",
  CHANGES_TOPIC: "would replace or delete a topic",
  USER_SCOPE: "about you, but not in your words",
  OTHER_AGENT: "suggested by another agent",
  ENFORCE: "suggests a rule to enforce",
  SETTING: "every change waits",
  TEAM: "shared by someone you have not approved",
  TEAM_CONFLICT: "your text, where the team has another one",
};

const ACTIONS: Readonly<Record<Proposal["action"], string>> = {
  write: "new topic",
  edit: "change of",
  delete: "deletion of",
};

/** One row of the list. */
export function proposalRow(proposal: Proposal, nowMs: number): readonly string[] {
  const { id, at, action, topic, reason } = proposal;
  const about = "description" in topic ? topic.description : REASONS[reason];
  return [id, timeAgo(Date.parse(at), nowMs), `${ACTIONS[action]} ${topic.name}`, about].map(
    terminalSafeLine,
  );
}

export interface ProposalView {
  readonly nowMs: number;
  readonly style: Style;
  /** The topic as it is now, if there is one. */
  readonly current: ShownText | undefined;
}

/** What is shown of a topic. */
type ShownText = Parameters<typeof textOf>[0];

/** The whole proposal, with control characters escaped. A change shows the current text, too. */
export function renderProposal(proposal: Proposal, view: ProposalView): string {
  const { nowMs, style, current } = view;
  const { id, at, action, topic, reason } = proposal;
  const lines = [
    `${style.heading(terminalSafeLine(id))} ${ACTIONS[action]} ${terminalSafeLine(topic.name)}, proposed ${timeAgo(Date.parse(at), nowMs)}: ${REASONS[reason]}`,
    terminalSafeLine(sourceOf(proposal).join("; ")),
  ];
  if (DIFFERS.has(reason) && current !== undefined && "body" in topic)
    return `${lines.join("\n")}\n\n${renderDiff(topic, current, style)}${fieldsOf(topic).join("\n")}\n`;
  const shown = current === undefined ? [] : ["", "Now:", "", textOf(current)];
  const proposed =
    "body" in topic
      ? ["", ...(current === undefined ? [] : ["Proposed:", ""]), textOf(topic), ...fieldsOf(topic)]
      : [];
  return `${[...lines, ...shown, ...proposed].join("\n")}\n`;
}

/** Where a proposal comes from. */
function sourceOf({
  origin,
  authors,
  agent,
  session,
  after = [],
  times,
}: Proposal): readonly string[] {
  return [
    ...(authors === undefined ? [`origin: ${origin}`] : authors.map((one) => `by ${one}`)),
    ...(agent === undefined ? [] : [`agent: ${agent}`]),
    ...(session === undefined ? [] : [`session: ${session}`]),
    ...(after.length === 0 ? [] : [`after using: ${after.join(", ")}`]),
    ...(times === 1 ? [] : [`proposed ${times} times`]),
  ];
}

/** Reasons for which there is another text, which the user compares with. */
const DIFFERS: ReadonlySet<ProposalReason> = new Set<ProposalReason>(["TEAM", "TEAM_CONFLICT"]);

/** From what is used now to what is proposed. */
function renderDiff(topic: ProposedText, current: ShownText, style: Style): string {
  const name = terminalSafeLine(`${topic.name}.md`);
  return renderTextDiff({ name, before: plainText(current), after: plainText(topic) }, style);
}

type ProposedText = Extract<Proposal, { readonly action: "write" | "edit" }>["topic"];

function plainText({ description, type, body }: ShownText): string {
  return `${description} (${type ?? "untyped"})\n\n${body.trimEnd()}\n`;
}

function textOf({
  description,
  type,
  body,
}: {
  readonly description: string;
  readonly type?: string | undefined;
  readonly body: string;
}): string {
  const heading = `${terminalSafeLine(description)} (${type ?? "untyped"})`;
  return `${heading}\n\n${terminalSafe(body.trimEnd())}`;
}

function fieldsOf({
  applies,
  supersedes = [],
}: Extract<Proposal, { readonly action: "write" | "edit" }>["topic"]): readonly string[] {
  const patterns = [...(applies?.paths ?? []), ...(applies?.commands ?? [])];
  const fields = [
    ...(patterns.length === 0 ? [] : [`applies to: ${patterns.join(", ")}`]),
    ...(supersedes.length === 0 ? [] : [`supersedes: ${supersedes.join(", ")}`]),
  ];
  return fields.length === 0 ? [] : ["", ...fields.map(terminalSafeLine)];
}

/** The command that sets a rule that the agent suggests: only the user can run it. */
export function enforceCommand({ topic, enforce, scope }: Proposal): string | undefined {
  if (enforce === undefined) return undefined;
  const rules = enforce.rules.map((rule) => `--${enforce.level} ${quoted(terminalSafeLine(rule))}`);
  const flag = scope === "user" ? " --user" : "";
  return `memory enforce ${terminalSafeLine(topic.name)} ${rules.join(" ")}${flag}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
