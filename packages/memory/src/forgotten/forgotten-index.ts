import { isForgetRequest } from "./forget-request.ts";
import { isSameStatement, sharedPart } from "./same-statement.ts";
import { statementsOf } from "./split-statements.ts";
import {
  analyzeStatement,
  type AnalyzedStatement,
  type StatementTerms,
} from "./statement-terms.ts";
import type { Tombstone } from "./tombstone.ts";

/** Turns a term into the form in which tombstones with this salt have it. */
export type HashTerm = (term: string, salt: string) => string;

/** A forgotten statement that a text repeats. */
export interface ForgottenMatch {
  readonly tombstone: Tombstone;
  /** The position of the statement in it. */
  readonly statement: number;
}

/** Finds forgotten statements. Creating it takes time in proportion to the tombstones, a lookup does not. */
export interface ForgottenIndex {
  /** The forgotten statements that one of the sentences of a text repeats. */
  readonly find: (text: string) => readonly ForgottenMatch[];
  /** Whether a sentence that was made from these sessions has much of what was forgotten in all of them. */
  readonly isMadeFrom: (statement: string, sessions: readonly string[]) => boolean;
  /** Whether a message asks to forget what is forgotten by now. */
  readonly isRequestFor: (text: string) => boolean;
}

interface Entry extends ForgottenMatch {
  readonly terms: StatementTerms;
}

export function createForgottenIndex(
  tombstones: readonly Tombstone[],
  hashTerm: HashTerm,
): ForgottenIndex {
  const indexes = [...Map.groupBy(tombstones, ({ salt }) => salt)].map(([salt, own]) =>
    saltedIndex(own, (term) => hashTerm(term, salt)),
  );
  return {
    find: (text) => {
      if (indexes.length === 0) return [];
      const statements = statementsOf(text).map(analyzeStatement);
      return indexes.flatMap((index) => index.find(statements));
    },
    isMadeFrom: (statement, sessions) => {
      if (indexes.length === 0 || sessions.length === 0) return false;
      const terms = analyzeStatement(statement);
      return indexes.some((index) => sessions.every((session) => index.isMadeFrom(terms, session)));
    },
    isRequestFor: (text) => {
      if (indexes.length === 0 || !isForgetRequest(text)) return false;
      const request = analyzeStatement(text);
      return indexes.some((index) => index.isRequested(request));
    },
  };
}

/** The part of an index with one salt. */
interface SaltedIndex {
  readonly find: (statements: readonly AnalyzedStatement[]) => readonly ForgottenMatch[];
  readonly isMadeFrom: (statement: AnalyzedStatement, session: string) => boolean;
  readonly isRequested: (request: AnalyzedStatement) => boolean;
}

function saltedIndex(
  tombstones: readonly Tombstone[],
  hash: (term: string) => string,
): SaltedIndex {
  const entries = tombstones.flatMap((tombstone) =>
    tombstone.statements.map((terms, statement): Entry => ({ tombstone, statement, terms })),
  );
  const keyed = entries.flatMap((entry) => keysOf(entry.terms).map((key) => ({ key, entry })));
  const byTerm = Map.groupBy(keyed, ({ key }) => key);
  const candidates = (terms: StatementTerms): readonly Entry[] => [
    ...new Set(keysOf(terms).flatMap((key) => (byTerm.get(key) ?? []).map(({ entry }) => entry))),
  ];
  return {
    find: (statements) => {
      const found = statements.flatMap((statement) => {
        const terms = hashStatement(statement, hash);
        return candidates(terms).filter((entry) => isSameStatement(entry.terms, terms));
      });
      return [...new Set(found)];
    },
    isMadeFrom: (statement, session) => {
      const terms = hashStatement(statement, hash);
      return candidates(terms).some(
        ({ tombstone, terms: own }) =>
          tombstone.turns.some((turn) => turn.session === session) &&
          sharedPart(own, terms) >= MIN_MADE_FROM,
      );
    },
    isRequested: (request) => {
      const terms = hashStatement(request, hash);
      return candidates(terms).some((entry) => sharedPart(entry.terms, terms) >= MIN_REQUESTED);
    },
  };
}

/** A model that read the turns of a session may have put it in quite different words. */
const MIN_MADE_FROM = 0.6;
/** A request names what to forget by a part of it. */
const MIN_REQUESTED = 0.5;

/** Two wordings share at least one of these. */
function keysOf({ exact, strong, weak, numbers }: StatementTerms): readonly string[] {
  return [...(exact === "" ? [] : [exact]), ...strong, ...weak, ...numbers];
}

/** A statement to look up, with hashes for terms. */
function hashStatement(
  statement: AnalyzedStatement,
  hash: (term: string) => string,
): AnalyzedStatement {
  return {
    ...hashTerms(statement, hash),
    opposites: statement.opposites.map((term) => hash(term)),
  };
}

/** A statement as tombstones have it. */
export function hashTerms(
  { exact, strong, weak, contrast, numbers, relations }: StatementTerms,
  hash: (term: string) => string,
): StatementTerms {
  const hashAll = (terms: readonly string[]): readonly string[] => terms.map((term) => hash(term));
  return {
    exact: exact === "" ? "" : hash(`=${exact}`),
    strong: hashAll(strong),
    weak: hashAll(weak),
    contrast: hashAll(contrast),
    numbers: hashAll(numbers),
    relations: hashAll(relations),
  };
}
