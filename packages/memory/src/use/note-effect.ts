import { checkArguments } from "../check-arguments.ts";

/** Something the agent did, as far as code can compare it with a note. */
export type NoteStep =
  | { readonly kind: "command"; readonly command: string }
  | {
      readonly kind: "change";
      /** The text that was replaced; empty for a new file. */
      readonly before: string;
      readonly after: string;
    };

/** Whether the next steps followed a note. `unknown` if code cannot tell. */
export type NoteEffect = "followed" | "ignored" | "unknown";

export interface NoteEffectInput {
  /** The note in its own words. */
  readonly text: string;
  /** What the agent did before it saw the note. */
  readonly before: readonly NoteStep[];
  /** What it did afterwards, in order. */
  readonly after: readonly NoteStep[];
}

/**
 * Compares a note with the steps around it. A step follows the note if it brings in a value, identifier or command that
 * the note names, and ignores it if it brings in one that the note rules out. The last step that does either decides.
 */
export function noteEffect(input: NoteEffectInput): NoteEffect {
  checkArguments("noteEffect", input, { text: "string", before: "list", after: "list" });
  const { text, before, after } = input;
  const known = new Set(
    before.flatMap((step) => (step.kind === "command" ? commandsIn(step) : [])),
  );
  const effects = after.map((step) => stepEffect(text, step, known));
  return effects.findLast((effect) => effect !== "unknown") ?? "unknown";
}

function stepEffect(text: string, step: NoteStep, known: ReadonlySet<string>): NoteEffect {
  const named =
    step.kind === "command"
      ? commandsIn(step)
      : identifiersIn(text).filter(
          (name) => includesWord(step.after, name) && !includesWord(step.before, name),
        );
  const senses = new Set(
    named.flatMap((name) => {
      const sense = senseOf(text, name);
      // A command that ran before the note does not show that the note was followed.
      return sense === "wanted" && known.has(name) ? [] : [sense];
    }),
  );
  if (senses.has("wanted")) return "followed";
  return senses.has("unwanted") ? "ignored" : "unknown";
}

/** The programs that a command runs, each with its first argument: `pnpm ship`. */
function commandsIn({ command }: NoteStep & { readonly kind: "command" }): readonly string[] {
  return command.split(/&&|\|\||[;|\n]/).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => !/^\w+=/.test(word));
    const [program, argument] = words;
    if (program === undefined || program === "") return [];
    return argument === undefined ? [program] : [`${program} ${argument}`];
  });
}

const MAX_IDENTIFIERS = 50;

/** Values and identifiers: what is quoted as code, has digits or inner capitals, or is joined by dots, dashes or slashes. */
function identifiersIn(text: string): readonly string[] {
  const quoted = Array.from(text.matchAll(/`([^`\n]{1,100})`/g), ([, code = ""]) => code.trim());
  const words = text.match(/[\p{L}\p{N}_$@][\p{L}\p{N}_$@./-]*/gu) ?? [];
  const names = words
    .map((word) => word.replace(/[./-]+$/, ""))
    .filter((word) => /\d|[\p{L}\p{N}][_./-][\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(word));
  const all = [...quoted, ...names].filter((name) => name.length > 1 && !isDate(name));
  return [...new Set(all)].slice(0, MAX_IDENTIFIERS);
}

/** Dates are in many notes, and in the code of none. */
function isDate(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(name);
}

const NEGATION =
  /\b(?:not|never|no|don't|do not|avoid|stop|instead of|rather than|no longer|was|were|without|drop|dropped|replaces?|forbidden|banned)\b[^.;,:]{0,40}$/i;
const BEFORE_NEGATION =
  /^[`'"]?\s+(?:is|are)?\s*(?:not|never|no longer|forbidden|banned|deprecated)\b/i;

/** Whether the note asks for a name or rules it out; `undefined` if it does not mention it. */
function senseOf(text: string, name: string): "wanted" | "unwanted" | undefined {
  const at = indexOfWord(text, name);
  if (at === -1) return undefined;
  const isRuledOut =
    NEGATION.test(text.slice(Math.max(0, at - 80), at)) ||
    BEFORE_NEGATION.test(text.slice(at + name.length));
  return isRuledOut ? "unwanted" : "wanted";
}

function includesWord(text: string, word: string): boolean {
  return indexOfWord(text, word) !== -1;
}

function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [left = "", right = ""] = [text[at - 1], text[at + word.length]];
    if (!isPartOfWord(left) && !isPartOfWord(right)) return at;
  }
  return -1;
}

function isPartOfWord(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character);
}
