import { isRecord, parseJsonRecord } from "@caliban/common";
import type { Author, Scope, WriteTopicInput } from "../store/topic-store.ts";
import { MEMORY_ORIGINS, type MemoryOrigin, parseTopicFields } from "../topics/topic-fields.ts";
import { isTopicType } from "../topics/topic-type.ts";

/** Why a change waits for the user. */
export const PROPOSAL_REASONS = [
  /** It tells agents what to do, and comes from a turn that read untrusted text. */
  "INSTRUCTION",
  /** It is about commands, hosts, credentials or permissions. */
  "SECURITY",
  /** It is not clearly a fact about the code, and the user did not ask for it. */
  "NOT_REQUESTED",
  /** It changes, replaces or deletes what is remembered. */
  "CHANGES_TOPIC",
  /** It is about the user, but not in the user's words. */
  "USER_SCOPE",
  /** It comes from an agent that uses the store through a protocol. */
  "OTHER_AGENT",
  /** It suggests a rule that is enforced, which only the user can set. */
  "ENFORCE",
  /** `[memory] write = "inbox"`. */
  "SETTING",
  /** Someone whom the user has not approved shared it with the team. */
  "TEAM",
  /** The user's own text, where the team has another one. */
  "TEAM_CONFLICT",
] as const;

export type ProposalReason = (typeof PROPOSAL_REASONS)[number];

/** The text of a topic that is proposed: what a write to the store takes. */
export type ProposedTopic = Pick<
  WriteTopicInput,
  "name" | "description" | "type" | "body" | "applies" | "supersedes" | "evidence" | "ifMatch"
>;

/** A topic that is proposed for deletion. */
type ProposedDeletion = Pick<WriteTopicInput, "name" | "ifMatch">;

/** A rule that the agent suggests. Only the user can set it. */
export interface EnforcementSuggestion {
  readonly level: "deny" | "ask" | "note";
  /** As in permission rules: `Bash(npm *)`. */
  readonly rules: readonly string[];
}

/** A change of memory that the agent wants to make. */
export type ProposalRequest = ProposedChange & ProposalSource;

export type ProposedChange =
  /** `write` is a new topic, `edit` replaces one. */
  | { readonly action: "write" | "edit"; readonly topic: ProposedTopic }
  | { readonly action: "delete"; readonly topic: ProposedDeletion };

/** Where a proposal comes from. */
interface ProposalSource extends Pick<Author, "agent" | "session" | "after"> {
  readonly scope: Scope;
  readonly origin: MemoryOrigin;
  readonly reason: ProposalReason;
  readonly enforce?: EnforcementSuggestion | undefined;
  /** Who shared it with the team, and with which key. */
  readonly authors?: readonly string[] | undefined;
  /** Of a shared topic: the whole file that the user has now. */
  readonly before?: string | undefined;
}

/** A change that waits for the user. Nothing shows it to an agent. */
export type Proposal = ProposalRequest & {
  readonly id: string;
  /** When it was last proposed, in ISO 8601. */
  readonly at: string;
  /** How often the same change was proposed. */
  readonly times: number;
};

export function renderProposal(proposal: Proposal): string {
  return `${JSON.stringify(proposal, null, 2)}\n`;
}

type Values = Readonly<Record<string, unknown>>;

/** `undefined` for a damaged file. The id is that of the file name. */
export function parseProposal(id: string, text: string): Proposal | undefined {
  const value = parseJsonRecord(text);
  if (value === undefined) return undefined;
  const change = parseChange(value);
  const source = parseSource(value);
  const { at, times } = value;
  if (change === undefined || source === undefined || typeof at !== "string") return undefined;
  return { id, at, times: typeof times === "number" ? times : 1, ...source, ...change };
}

function parseChange({ action, topic }: Values): ProposedChange | undefined {
  if (!isRecord(topic) || typeof topic["name"] !== "string") return undefined;
  const { name, description, type, body, ifMatch } = topic;
  const match = typeof ifMatch === "string" ? { ifMatch } : {};
  if (action === "delete") return { action, topic: { name, ...match } };
  if (action !== "write" && action !== "edit") return undefined;
  if (typeof description !== "string" || typeof body !== "string" || !isTopicType(type))
    return undefined;
  const { expect: _expect, origin: _origin, ...fields } = parseTopicFields(topic, {});
  return { action, topic: { name, description, type, body, ...match, ...fields } };
}

const SCOPES: readonly Scope[] = ["project", "user", "team"];

function parseSource(value: Values): ProposalSource | undefined {
  const scope = SCOPES.find((known) => known === value["scope"]);
  const origin = MEMORY_ORIGINS.find((known) => known === value["origin"]);
  const reason = PROPOSAL_REASONS.find((known) => known === value["reason"]);
  if (scope === undefined || origin === undefined || reason === undefined) return undefined;
  const { agent, session, after } = value;
  const enforce = parseEnforcement(value["enforce"]);
  return {
    scope,
    origin,
    reason,
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof session === "string" ? { session } : {}),
    ...(isTextList(after) ? { after } : {}),
    ...(enforce === undefined ? {} : { enforce }),
  };
}

function parseEnforcement(value: unknown): EnforcementSuggestion | undefined {
  if (!isRecord(value)) return undefined;
  const { level, rules } = value;
  if (level !== "deny" && level !== "ask" && level !== "note") return undefined;
  return isTextList(rules) && rules.length > 0 ? { level, rules } : undefined;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
