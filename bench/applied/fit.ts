// `node --conditions=caliban:source bench/applied/fit.ts`: fits the weights of notes on the tuning cases, and prints them.
import { scoredPassage } from "../../packages/memory/src/notes/choose-note.ts";
import type { SaidTurn } from "../../packages/memory/src/notes/judged-turn.ts";
import { createNoteIndex, type NoteIndex } from "../../packages/memory/src/notes/note-index.ts";
import { noteQuery } from "../../packages/memory/src/notes/note-query.ts";
import type { NoteWeights } from "../../packages/memory/src/notes/note-weights.ts";
import type { NoteRequest, NoteTrigger } from "../../packages/memory/src/notes/note.ts";
import { findStatements } from "../../packages/memory/src/notes/statements.ts";
import { taskKind } from "../../packages/memory/src/notes/task-kind.ts";
import { type AppliedCase, type CaseSet, type SessionLines, sessionsOf } from "./case.ts";
import { TUNING } from "./case-sets.ts";
import { decoySessions } from "./decoys.ts";
import { triggerOf } from "./run-cases.ts";

const NAMES = [
  "message.anywhere",
  "message.title",
  "message.own",
  "file",
  "directory",
  "directoryName",
  "word.anywhere",
  "word.own",
  "command",
  "avoided",
  "strength",
  "general",
  "length",
] as const;
/** The last weights: that nothing is needed with a message, at a call, for a repair, and for a question. */
const NOTHING = ["message", "call", "repair", "question"] as const;
const STEPS = 400;
const RATE = 0.1;
/** Keeps weights small, because the cases are few. */
const SHRINKAGE = 0.003;

/** A case: the features of each passage, and which passages are right. Nothing is right for a case that needs no note. */
interface Example {
  readonly passages: readonly (readonly number[])[];
  readonly right: ReadonlySet<number>;
  readonly needsNote: boolean;
  /** Of the last weights, which ones are added. */
  readonly nothing: readonly number[];
}

/** From a case whose words do not lead to the right conversation, only luck can be learned. */
const MIN_MESSAGE_MASS = 0.3;

const fitted = fit(TUNING.flatMap(examplesOf).filter(isFindable));
for (const [at, name] of [...NAMES, ...NOTHING.map((each) => `nothing.${each}`)].entries())
  console.log(name.padEnd(18), fitted[at]?.toFixed(2));

function isFindable({ needsNote, right, passages }: Example): boolean {
  const anywhere = NAMES.indexOf("message.anywhere");
  return !needsNote || [...right].some((at) => (passages[at]?.[anywhere] ?? 0) > MIN_MESSAGE_MASS);
}

function examplesOf(set: CaseSet): readonly Example[] {
  const index = createNoteIndex();
  const sessions = sessionsOf(set, decoySessions);
  for (const [at, lines] of sessions.entries())
    index.set(`sessions:${at}`, findStatements(turnsOf(lines)));
  return set.cases.flatMap((each) => [
    exampleOf(index, each, { sessions, trigger: { kind: "message", text: each.message } }),
    exampleOf(index, each, { sessions, trigger: triggerOf(each) }),
  ]);
}

interface Moment {
  readonly sessions: readonly SessionLines[];
  readonly trigger: NoteTrigger;
}

/** The score is linear in the weights, so a feature is the difference that one more of its weight makes. */
function exampleOf(index: NoteIndex, tested: AppliedCase, { sessions, trigger }: Moment): Example {
  const request = { trigger, message: tested.message };
  const base = scoresOf(index, request, weightsWith(undefined));
  const features = new Map(
    Array.from(base.keys(), (passage): readonly [number, number[]] => [passage, []]),
  );
  for (const name of NAMES) {
    const scores = scoresOf(index, request, weightsWith(name));
    for (const [passage, row] of features)
      row.push((scores.get(passage)?.score ?? 0) - (base.get(passage)?.score ?? 0));
  }
  const own = new Set(
    sessions.flatMap((lines, at) => (tested.sessions.includes(lines) ? [`sessions:${at}`] : [])),
  );
  return {
    passages: [...features.values()],
    right: new Set([...base.values()].flatMap(({ entry }, at) => (own.has(entry) ? [at] : []))),
    needsNote: tested.expect !== undefined,
    nothing: nothingOf(trigger, tested.message),
  };
}

function nothingOf({ kind }: NoteTrigger, message: string): readonly number[] {
  const names = new Set([kind === "message" ? "message" : "call", taskKind(message)]);
  return NOTHING.flatMap((name, at) => (names.has(name) ? [NAMES.length + at] : []));
}

interface PassageScore {
  readonly entry: string;
  readonly score: number;
}

/** By the number of the passage. */
function scoresOf(
  index: NoteIndex,
  request: Pick<NoteRequest, "trigger" | "message">,
  weights: NoteWeights,
): ReadonlyMap<number, PassageScore> {
  const { terms } = noteQuery(request, { rarity: index.rarity, weights });
  const scored = index.match(terms, Infinity).flatMap((passage) => scoredPassage(passage, weights));
  return new Map(
    scored.map(({ notes: [{ passage, entry }], score }) => [passage, { entry, score }]),
  );
}

function weightsWith(more: (typeof NAMES)[number] | undefined): NoteWeights {
  const weigh = (name: (typeof NAMES)[number]): number => (more === name ? 2 : 1);
  return {
    message: {
      anywhere: weigh("message.anywhere"),
      title: weigh("message.title"),
      own: weigh("message.own"),
    },
    file: weigh("file"),
    directory: weigh("directory"),
    directoryName: weigh("directoryName"),
    word: { anywhere: weigh("word.anywhere"), own: weigh("word.own") },
    command: weigh("command"),
    avoided: weigh("avoided"),
    strength: weigh("strength"),
    general: weigh("general"),
    length: weigh("length"),
    nothing: { message: 0, call: 0, repair: 0, question: 0 },
  };
}

function turnsOf([day, ...lines]: SessionLines): readonly SaidTurn[] {
  const turns: SaidTurn[] = [];
  let [isTainted, touched]: [boolean, string[]] = [false, []];
  for (const [at, line] of lines.entries()) {
    const [mark, text] = [line.slice(0, 1), line.slice(3)];
    if (mark === "t") {
      isTainted = true;
      const [tool = "", ...target] = text.split(" ");
      if (tool !== "Bash" && tool !== "Grep") touched.push(target.join(" "));
      continue;
    }
    const role = mark === "u" ? "user" : "assistant";
    if (role === "user") isTainted = false;
    const atMs = Date.parse(day) + at;
    turns.push({ at: String(at), role, text, atMs, touched, isTainted: isTainted && mark === "a" });
    touched = [];
  }
  return turns;
}

/** Maximizes the probability of the right choices by gradient ascent (Adam). */
function fit(all: readonly Example[]): readonly number[] {
  const values = [...NAMES.map(() => 0), ...NOTHING.map(() => 1)];
  const [first, second] = [values.map(() => 0), values.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = gradientOf(all, values);
    for (const [at, sum] of gradient.entries()) {
      const shrinkage = at < NAMES.length ? SHRINKAGE * (values[at] ?? 0) : 0;
      const slope = sum / all.length - shrinkage;
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * slope;
      second[at] = 0.999 * (second[at] ?? 0) + 0.001 * slope ** 2;
      const mean = (first[at] ?? 0) / (1 - 0.9 ** step);
      const deviation = Math.sqrt((second[at] ?? 0) / (1 - 0.999 ** step));
      const value = (values[at] ?? 0) + (RATE * mean) / (deviation + 1e-8);
      values[at] = Math.max(0, value);
    }
  }
  return values;
}

function gradientOf(all: readonly Example[], values: readonly number[]): readonly number[] {
  const gradient = values.map(() => 0);
  for (const { passages, right, needsNote, nothing } of all) {
    const scores = passages.map((row) =>
      row.reduce((sum, feature, at) => sum + feature * (values[at] ?? 0), 0),
    );
    const options = [...scores, nothing.reduce((sum, at) => sum + (values[at] ?? 0), 0)];
    const most = Math.max(...options);
    const likelihoods = options.map((score) => Math.exp(score - most));
    const total = likelihoods.reduce((sum, each) => sum + each, 0);
    const isRight = (at: number): boolean => (needsNote ? right.has(at) : at === passages.length);
    const rightTotal = likelihoods.reduce((sum, each, at) => sum + (isRight(at) ? each : 0), 0);
    for (const [at, likelihood] of likelihoods.entries()) {
      const pull = (isRight(at) ? likelihood / rightTotal : 0) - likelihood / total;
      const row = passages[at] ?? Array.from(values, (_, each) => (nothing.includes(each) ? 1 : 0));
      for (const [feature, value] of row.entries())
        gradient[feature] = (gradient[feature] ?? 0) + pull * value;
    }
  }
  return gradient;
}
