import type { ProposedTopic } from "@caliban/memory";
import type { PageScope, WaitingProposal } from "../data.ts";
import { diffRows, type DiffRow } from "./diff-view.ts";

/** A proposal that waits for the user. */
export interface ProposalRow {
  readonly scope: PageScope;
  readonly id: string;
  readonly action: "write" | "edit" | "delete";
  readonly slug: string;
  readonly at: string;
  readonly times: number;
  /** Why it waits, for the user. */
  readonly why: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** What would change in the topic. */
  readonly diff: readonly DiffRow[];
  /** What can be edited before it is accepted; `undefined` for a deletion. */
  readonly draft:
    | { readonly description: string; readonly type: string; readonly body: string }
    | undefined;
}

export function proposalRow(
  scope: PageScope,
  { proposal, current, before: compared, why }: WaitingProposal,
): ProposalRow {
  const { id, action, topic, at, times, reason } = proposal;
  const before = compared ?? current?.topic.body ?? null;
  const after = "body" in topic ? topic.body : null;
  return {
    scope,
    id,
    action,
    slug: topic.name,
    at,
    times,
    why,
    facts: factsOf(proposal),
    diff: diffRows(before, after),
    draft:
      // Of a change of the team, the text is not the user's to change.
      "body" in topic && reason !== "TEAM"
        ? { description: topic.description, type: topic.type, body: topic.body }
        : undefined,
  };
}

type Facts = readonly (readonly [string, readonly string[]])[];

function factsOf({ topic, ...proposal }: WaitingProposal["proposal"]): ProposalRow["facts"] {
  const lists: Facts = [...sourceFacts(proposal), ...textFacts("body" in topic ? topic : {})];
  return lists
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => [label, values.join(", ")]);
}

function sourceFacts(proposal: Omit<WaitingProposal["proposal"], "topic">): Facts {
  const { origin, agent, authors = [], session, after = [], enforce } = proposal;
  const rule = enforce === undefined ? [] : [`${enforce.level} ${enforce.rules.join(", ")}`];
  return [
    ["origin", [origin]],
    ["shared by", authors],
    ["agent", agent === undefined ? [] : [agent]],
    ["session", session === undefined ? [] : [session]],
    ["written after using", after],
    ["suggested rule", rule],
  ];
}

function textFacts({ applies, evidence = [], supersedes = [] }: Partial<ProposedTopic>): Facts {
  return [
    ["evidence", evidence.map(({ path, snippet }) => `${path}: ${snippet}`)],
    ["applies to", [...(applies?.paths ?? []), ...(applies?.commands ?? [])]],
    ["supersedes", supersedes],
  ];
}
