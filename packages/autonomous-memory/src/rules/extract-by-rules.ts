import type { Extraction, ExtractionTask } from "../extraction/extraction-task.ts";
import { slugOf } from "../extraction/rollout-slug.ts";
import { cleanLine } from "../transcript/clean-text.ts";
import type { TranscriptTurn } from "../transcript/transcript-turn.ts";
import { lineKey, renderLine } from "./memory-line.ts";
import { personSentences } from "./person-sentences.ts";
import { statementKind, type StatementKind } from "./statement-kind.ts";
import { workedCommands } from "./worked-commands.ts";

const MOST_LINES = 20;
/** So many of them are kept for commands, when there are any. */
const MOST_COMMANDS = 5;
const LONGEST_TITLE = 160;
const WORDS_OF_SLUG = 5;

/** What a person stated and corrected, and which commands worked: nothing that needs to be understood. */
export function extractByRules({ threadId, updatedAt, turns }: ExtractionTask): Extraction {
  const statements = statementsIn(turns);
  const commands = workedCommands(turns).slice(0, MOST_COMMANDS);
  const support = { session: threadId, day: updatedAt.slice(0, 10) };
  // What was said last counts when there is too much.
  const kept = statements.slice(-(MOST_LINES - commands.length));
  const lines = [
    ...kept.map(({ kind, text }) => ({ kind, text })),
    ...commands.map(({ command }) => ({ kind: "procedure", text: `\`${command}\`` })),
  ];
  if (lines.length === 0) return { rolloutSummary: "", rolloutSlug: undefined, rawMemory: "" };
  const title = titleOf(turns);
  return {
    rolloutSummary: [
      ...(title === "" ? [] : [`The person began with: ${title}`]),
      `Found by rules: ${counted(kept.length, "statement")}, ${counted(commands.length, "command")} that worked.`,
    ].join("\n"),
    rolloutSlug: slugOf(title.split(" ").slice(0, WORDS_OF_SLUG).join(" ")),
    rawMemory: lines
      .map(({ kind, text }) => renderLine({ text: `[${kind}] ${text}`, supports: [support] }))
      .join("\n"),
  };
}

interface Statement {
  readonly kind: StatementKind;
  readonly text: string;
}

/** Each once, where it was said last. */
function statementsIn(turns: readonly TranscriptTurn[]): readonly Statement[] {
  const found = new Map<string, Statement>();
  let isReply = false;
  for (const { kind, text } of turns) {
    if (kind !== "user") {
      isReply = true;
      continue;
    }
    for (const statement of statementsOf(text, isReply)) {
      const key = lineKey(statement.text);
      found.delete(key);
      found.set(key, statement);
    }
  }
  return [...found.values()];
}

function statementsOf(text: string, isReply: boolean): readonly Statement[] {
  return withBareNo(personSentences(text)).flatMap((sentence) => {
    const kind = statementKind(sentence, { isReply });
    return kind === undefined || sentence.includes("[secret removed")
      ? []
      : [{ kind, text: sentence }];
  });
}

/** "No." and "That's wrong." say what is meant only together with the next sentence. */
function withBareNo(sentences: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    if (before !== undefined && BARE_NO.test(before)) joined.splice(-1, 1, `${before} ${sentence}`);
    else joined.push(sentence);
  }
  return joined;
}

const BARE_NO =
  /^(?:no|nope|nein|non|wrong|falsch|that['’]s (?:wrong|incorrect|not right)|das ist falsch|c['’]est faux)[.!]$/iu;

function titleOf(turns: readonly TranscriptTurn[]): string {
  const first = turns.find(({ kind, text }) => kind === "user" && text.trim() !== "")?.text ?? "";
  const line = cleanLine(first.slice(0, LONGEST_TITLE * 4));
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE).toWellFormed()}…` : line;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
