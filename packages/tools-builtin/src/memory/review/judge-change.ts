import type { RecentCall, SeenText } from "@caliban/agent-core";
import type { MemoryOrigin, ProposalReason, ProposalRequest, StoredTopic } from "@caliban/memory";
import { classifyStatement } from "./classify-statement.ts";
import {
  type ConversationWords,
  FROM_USER,
  isAboutCode,
  type JudgedKind,
  kindOf,
  readConversation,
} from "./conversation-words.ts";
import { type Statement, splitStatements } from "./statements.ts";
import { termsOf } from "./terms.ts";

/** A change that an agent wants to make, and what is known about where it comes from. */
export interface ChangeToJudge {
  readonly change: Pick<ProposalRequest, "action" | "topic">;
  /** The topic that is replaced or deleted, and those that the new one supersedes. */
  readonly replaced: readonly StoredTopic[];
  readonly seen: SeenText;
  readonly recentCalls: readonly RecentCall[];
  /** Set for an agent that uses the store through a protocol: nothing is known about its conversation. */
  readonly isOtherAgent: boolean;
}

export interface Judgement {
  readonly origin: MemoryOrigin;
  /** Why the change waits for the user; `undefined` if it can be saved. */
  readonly reason?: ProposalReason | undefined;
}

/**
 * Decides whether a change can be saved, or waits for the user. In a conversation that contains untrusted text, each
 * statement must be in the user's words or describe code, because whatever a later prompt contains may be obeyed.
 */
export function judgeChange(input: ChangeToJudge): Judgement {
  const { change, isOtherAgent } = input;
  const context: JudgeContext = { ...input, ...readConversation(input) };
  const isTainted = isOtherAgent || context.isTainted;
  if (!("body" in change.topic)) return judgeDeletion(context, isTainted);
  const statements = newStatements(context);
  const kinds = statements.map((statement) => kindOf(statement, context));
  const isUsers = kinds.includes("user") && kinds.every((kind) => FROM_USER.has(kind));
  const origin = originOf(input, isUsers);
  if (!isTainted) return { origin };
  const reason = reasonToWait(context, kinds) ?? reasonToKeep(context, kinds);
  return { origin, reason };
}

interface JudgeContext extends ChangeToJudge, ConversationWords {}

/** What the change adds: name, description, and every statement that the topic does not have already. */
function newStatements({ change, replaced }: JudgeContext): readonly Statement[] {
  const { topic } = change;
  if (!("body" in topic)) return [];
  const old = new Set(
    replaced
      .filter(({ slug }) => slug === topic.name)
      .flatMap((current) => [current.topic.description, current.topic.body])
      .flatMap((text) => splitStatements(text))
      .map(({ text }) => text.toLowerCase()),
  );
  const { applies, supersedes = [] } = topic;
  const values = [...(applies?.paths ?? []), ...(applies?.commands ?? []), ...supersedes];
  const all: readonly Statement[] = [
    ...splitStatements(topic.description),
    ...splitStatements(topic.body),
    ...[topic.name, ...values].map((name) => ({ kind: "name", text: nameAsText(name) }) as const),
  ];
  return all.filter(({ text }) => !old.has(text.toLowerCase()));
}

function nameAsText(name: string): string {
  return name.replaceAll(/[-_]+(?=\w)/g, " ");
}

function reasonToWait(
  context: JudgeContext,
  kinds: readonly JudgedKind[],
): ProposalReason | undefined {
  if (kinds.includes("security")) return "SECURITY";
  if (kinds.includes("instruction")) return "INSTRUCTION";
  if (kinds.includes("own") && !kinds.includes("user")) return "NOT_REQUESTED";
  if (context.isOtherAgent) return kinds.includes("opaque") ? "OTHER_AGENT" : undefined;
  if (kinds.includes("unclear") || kinds.includes("opaque")) return "NOT_REQUESTED";
  const isUsers = kinds.every((kind) => FROM_USER.has(kind));
  return isUsers ? undefined : reasonNotToSave(context, kinds);
}

/** For a change that describes something, at least in part not in the user's words. */
function reasonNotToSave(
  { change: { topic }, user, seen }: JudgeContext,
  kinds: readonly JudgedKind[],
): ProposalReason | undefined {
  if (!("body" in topic)) return undefined;
  // How to work with the user is for the user to say.
  if (topic.type === "user" || topic.type === "feedback") {
    return kinds.includes("user") && user.asksToRemember ? undefined : "INSTRUCTION";
  }
  if (user.asksToRemember) return undefined;
  return isAboutCode(`${topic.description}\n${topic.body}`, seen) ? undefined : "NOT_REQUESTED";
}

/** What the user said must not disappear because of an untrusted text. */
function reasonToKeep(
  context: JudgeContext,
  kinds: readonly JudgedKind[],
): ProposalReason | undefined {
  const { change, replaced, user } = context;
  const { topic } = change;
  if (!("body" in topic)) return undefined;
  const kept = new Set(
    [...splitStatements(topic.description), ...splitStatements(topic.body)].map(({ text }) =>
      text.toLowerCase(),
    ),
  );
  const isUsers =
    kinds.includes("user") && kinds.every((kind) => kind === "fact" || FROM_USER.has(kind));
  const losesUsersWords = replaced.some((current) => {
    const lost = splitStatements(current.topic.body).filter(
      ({ text }) => !kept.has(text.toLowerCase()),
    );
    if (lost.length === 0 || !isProtected(current, lost)) return false;
    const subject = termsOf(
      `${current.slug} ${current.topic.description} ${lost.map(({ text }) => text).join(" ")}`,
    );
    return !(isUsers && [...user.terms].some((term) => subject.has(term)));
  });
  return losesUsersWords ? "CHANGES_TOPIC" : undefined;
}

function isProtected({ topic }: StoredTopic, lost: readonly Statement[]): boolean {
  if (topic.origin === "user" || topic.type === "user" || topic.type === "feedback") return true;
  return lost.some((statement) => {
    const kind = classifyStatement(statement, { known: [] });
    return kind === "instruction" || kind === "security";
  });
}

function judgeDeletion(context: JudgeContext, isTainted: boolean): Judgement {
  const { user, replaced, change } = context;
  const origin = originOf(context, user.asksToForget);
  if (!isTainted) return { origin };
  const [current] = replaced;
  const subject = termsOf(
    [nameAsText(change.topic.name), current?.topic.description, current?.topic.body].join(" "),
  );
  const isNamed =
    [...user.lastTerms].some((term) => subject.has(term)) || user.lastTerms.has("memory");
  return user.asksToForget && isNamed ? { origin } : { origin, reason: "CHANGES_TOPIC" };
}

function originOf({ isOtherAgent, seen }: ChangeToJudge, isUsers: boolean): MemoryOrigin {
  if (isOtherAgent) return "other-agent";
  if (isUsers) return "user";
  if (seen.results.length === 0) return "agent";
  return seen.results.some(({ permission }) => WEB.test(permission)) ? "web" : "tool";
}

const WEB = /^(?:web|net|http|fetch|browser)\b/;
