import { isSameStatement, sharedPart } from "./same-statement.ts";
import { analyzeStatement } from "./statement-terms.ts";
import { statementsOf } from "./split-statements.ts";

/** What a topic says: its description and its body. */
export interface SaidText {
  readonly description: string;
  readonly body: string;
}

/** What a topic states. Titles do not count: another topic may have the same one. */
export function statementsOfTopic({ description, body }: SaidText): readonly string[] {
  const described = statementsOf(description).filter((line) => sizeOf(line) >= MIN_DESCRIPTION);
  const said = statementsOf(body).filter((line) => /\S\s+\S/.test(line) && !line.endsWith(":"));
  return [...new Set([...described, ...said])];
}

/** With fewer significant words, a description is a title. */
const MIN_DESCRIPTION = 3;

function sizeOf(line: string): number {
  const { strong, weak, numbers } = analyzeStatement(line);
  return strong.length + weak.length + numbers.length;
}

/** The statements that another list does not have, in any words. */
export function unsaidStatements(
  statements: readonly string[],
  others: readonly string[],
): readonly string[] {
  if (others.length === 0) return statements;
  const exact = new Set(others);
  const analyzed = others.map(analyzeStatement);
  return statements.filter((statement) => {
    if (exact.has(statement)) return false;
    const terms = analyzeStatement(statement);
    return !analyzed.some((other) => isSameStatement(terms, other));
  });
}

/** More of a statement than this in a new one means that it was reworded. */
const MIN_REWORDED = 0.5;

/**
 * The statements that an edit took out. A statement that a new one takes up, with another value or in other words, was
 * replaced, and is not among them.
 */
export function deletedStatements(before: SaidText, after: SaidText): readonly string[] {
  const [old, current] = [statementsOfTopic(before), statementsOfTopic(after)];
  const known = new Set(old);
  const added = current.filter((statement) => !known.has(statement)).map(analyzeStatement);
  return unsaidStatements(old, current).filter((statement) => {
    const terms = analyzeStatement(statement);
    return !added.some((other) => sharedPart(terms, other) >= MIN_REWORDED);
  });
}
