import type { RecentCall, SeenText } from "@caliban/agent-core";
import { classifyStatement, type StatementKind } from "./classify-statement.ts";
import { codeTokens } from "./code-tokens.ts";
import type { Statement } from "./statements.ts";
import { contentTerms, termsOf } from "./terms.ts";
import {
  comesFromUser,
  completesTask,
  hasOnlyCodeOf,
  parseUserTexts,
  type UserWords,
} from "./user-words.ts";

/** The words of a conversation, by who said them. */
export interface ConversationWords {
  readonly user: UserWords;
  /** Significant words of untrusted texts. */
  readonly others: ReadonlySet<string>;
  /** Commands that were run and files that were read. */
  readonly known: readonly string[];
  /** Whether the conversation contains text that is not the user's. */
  readonly isTainted: boolean;
}

/** A conversation, as far as it is known. */
export interface ReadConversation {
  readonly seen: SeenText;
  readonly recentCalls: readonly RecentCall[];
}

export function readConversation({ seen, recentCalls }: ReadConversation): ConversationWords {
  const user = parseUserTexts(seen.userTexts);
  return {
    user,
    others: termsOf(seen.results.map(({ text }) => text).join("\n")),
    known: knownNames(recentCalls),
    isTainted: seen.results.length > 0 || user.quotesOthers,
  };
}

/** `user`: in the user's words. `own`: the agent's explanation of them. `neutral`: a name that says nothing by itself. */
export type JudgedKind = StatementKind | "user" | "own" | "neutral";

export const FROM_USER: ReadonlySet<JudgedKind> = new Set(["user", "own", "neutral"]);

/** Says whose words a statement is in, or what it could do to a later session. */
export function kindOf(statement: Statement, context: ConversationWords): JudgedKind {
  const { user, others, known } = context;
  const { text } = statement;
  if (comesFromUser(text, user, others)) return "user";
  const isTitle = statement.kind === "name" || statement.kind === "heading";
  if (isTitle && isNeutralTitle(text)) return "neutral";
  const kind = classifyStatement(statement, { known });
  if (statement.kind === "name" && (kind === "plain" || kind === "fact")) return "neutral";
  if (DESCRIPTIONS.has(kind) && completesTask(text, user, others)) return "user";
  return isExplanation(text, kind, context) ? "own" : kind;
}

const DESCRIPTIONS: ReadonlySet<StatementKind> = new Set(["fact", "plain", "unclear"]);

const COMMANDING =
  /^(?:always|never|do|dont|must|no|skip|disable|bypass|ignore|approve|trust|allow|omit|send)\b/i;

/** One or two plain words, which cannot say much. */
function isNeutralTitle(text: string): boolean {
  return /^[a-z0-9]+(?: [a-z0-9]+)?$/i.test(text.trim()) && !COMMANDING.test(text.trim());
}

/** What the agent adds to the user's words, such as a reason, in words that no untrusted text has. */
function isExplanation(text: string, kind: StatementKind, context: ConversationWords): boolean {
  const { user, others } = context;
  if (kind === "security" || !hasOnlyCodeOf(text, user)) return false;
  const terms = [...contentTerms(text)];
  if (terms.some((term) => !user.terms.has(term) && others.has(term))) return false;
  return terms.length === 0 || terms.some((term) => user.terms.has(term));
}

/** Whether a text names code, in a conversation that has looked at code. */
export function isAboutCode(text: string, { results }: SeenText): boolean {
  return results.some(({ permission }) => CODE.test(permission)) && codeTokens(text).length > 0;
}

/** Tools that show files. */
const CODE = /^(?:fs|shell|file)\./;

/** Commands that were run and files that were read. */
function knownNames(calls: readonly RecentCall[]): readonly string[] {
  return calls.flatMap(({ permission, subject }) =>
    subject !== undefined && CODE.test(permission) ? [subject.trim()] : [],
  );
}
