// `node --conditions=caliban:source bench/applied/fit.ts [SET]`: fits the weights of notes on the tuning cases, and prints them;
// with the name of a set, on the other sets only.
import { nothingFeatures, scoredPassage } from "../../packages/memory/src/notes/choose-note.ts";
import type { SaidTurn } from "../../packages/memory/src/notes/judged-turn.ts";
import { createNoteIndex, type NoteIndex } from "../../packages/memory/src/notes/note-index.ts";
import { type NoteQuery, noteQuery } from "../../packages/memory/src/notes/note-query.ts";
import type { NoteWeights } from "../../packages/memory/src/notes/note-weights.ts";
import { standingsIn } from "../../packages/memory/src/notes/standing.ts";
import { findStatements } from "../../packages/memory/src/notes/statements.ts";
import type { SearchDocument } from "../../packages/memory/src/search/engine/document.ts";
import {
  createSearchIndex,
  type SearchIndex,
} from "../../packages/memory/src/search/engine/search-index.ts";
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
  "repeated",
  "avoided",
  "strength",
  "length",
  "found.share",
  "found.place",
] as const;
/** What makes it more likely that nothing is needed. */
const OF_NOTHING = ["nothing.always", "nothing.small", "nothing.unknown"] as const;
/** What may make a passage less likely. */
const MAY_BE_NEGATIVE: ReadonlySet<number> = new Set([
  NAMES.indexOf("repeated"),
  NAMES.indexOf("length"),
]);
const STEPS = 400;
const RATE = 0.1;
/** Keeps weights small, because the cases are few. */
const SHRINKAGE = 0.01;
const MAX_FOUND = 50;

/** A case: the features of each passage, and which passages are right. Nothing is right for a case that needs no note. */
interface Example {
  readonly passages: readonly (readonly number[])[];
  readonly right: ReadonlySet<number>;
  readonly needsNote: boolean;
  /** The features of showing nothing. */
  readonly nothing: readonly number[];
}

const left = process.argv[2];
const examples = TUNING.filter(({ name }) => name !== left).flatMap(examplesOf);
const fitted = fit(examples.filter(({ right, needsNote }) => right.size > 0 || !needsNote));
for (const [at, name] of [...NAMES, ...OF_NOTHING].entries())
  console.log(name.padEnd(18), fitted[at]?.toFixed(2));

function examplesOf(set: CaseSet): readonly Example[] {
  const index = createNoteIndex();
  const sessions = sessionsOf(set, decoySessions);
  for (const [at, lines] of sessions.entries())
    index.set(`sessions:${at}`, findStatements(turnsOf(lines)));
  const search = createSearchIndex(sessions.flatMap(documentsOf));
  return set.cases.map((each) => exampleOf({ index, search, sessions }, each));
}

function documentsOf(lines: SessionLines, session: number): readonly SearchDocument[] {
  return turnsOf(lines).map(({ at, text, atMs }, turn) => ({
    id: `sessions:${session}#${at}`,
    kind: "turn",
    session: String(session),
    turn,
    body: text,
    updatedMs: atMs,
  }));
}

interface FitProject {
  readonly index: NoteIndex;
  readonly search: SearchIndex;
  readonly sessions: readonly SessionLines[];
}

/** The score is linear in the weights, so a feature is the difference that one more of its weight makes. */
function exampleOf({ index, search, sessions }: FitProject, tested: AppliedCase): Example {
  const trigger = triggerOf(tested);
  const standingOf = standingsIn(search.search(tested.message, { limit: MAX_FOUND }));
  const queryWith = (weights: NoteWeights): NoteQuery =>
    noteQuery({ trigger, message: tested.message }, { rarity: index.rarity, weights });
  const scoresWith = (more: (typeof NAMES)[number] | undefined): ReturnType<typeof scoresOf> => {
    const weights = weightsWith(more);
    return scoresOf(index, queryWith(weights), { weights, standingOf });
  };
  const base = scoresWith(undefined);
  const features = new Map(
    Array.from(base.keys(), (passage): readonly [number, number[]] => [passage, []]),
  );
  for (const name of NAMES) {
    const scores = scoresWith(name);
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
    nothing: nothingFeatures(queryWith(weightsWith(undefined))),
  };
}

interface PassageScore {
  readonly entry: string;
  readonly score: number;
}

/** By the number of the passage. */
function scoresOf(
  index: NoteIndex,
  { terms }: NoteQuery,
  weighing: Parameters<typeof scoredPassage>[1],
): ReadonlyMap<number, PassageScore> {
  const scored = index
    .match(terms, Infinity)
    .flatMap((passage) => scoredPassage(passage, weighing));
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
    repeated: weigh("repeated"),
    avoided: weigh("avoided"),
    strength: weigh("strength"),
    length: weigh("length"),
    found: { share: weigh("found.share"), place: weigh("found.place") },
    nothing: { always: 0, small: 0, unknown: 0 },
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

/** Maximizes the probability of the right choices by gradient ascent (Adam). The last weights are those of nothing. */
function fit(all: readonly Example[]): readonly number[] {
  const values = [...NAMES.map(() => 0), 3, 0, 0];
  const [first, second] = [values.map(() => 0), values.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = gradientOf(all, values);
    for (const [at, sum] of gradient.entries()) {
      const shrinkage = at === NAMES.length ? 0 : SHRINKAGE * (values[at] ?? 0);
      const slope = sum / all.length - shrinkage;
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * slope;
      second[at] = 0.999 * (second[at] ?? 0) + 0.001 * slope ** 2;
      const mean = (first[at] ?? 0) / (1 - 0.9 ** step);
      const deviation = Math.sqrt((second[at] ?? 0) / (1 - 0.999 ** step));
      const value = (values[at] ?? 0) + (RATE * mean) / (deviation + 1e-8);
      values[at] = MAY_BE_NEGATIVE.has(at) ? value : Math.max(0, value);
    }
  }
  return values;
}

function gradientOf(all: readonly Example[], values: readonly number[]): readonly number[] {
  const gradient = values.map(() => 0);
  for (const { passages, right, needsNote, nothing } of all) {
    const padded = [...NAMES.map(() => 0), ...nothing];
    const rows = [...passages, padded];
    const options = rows.map((row) =>
      row.reduce((sum, feature, at) => sum + feature * (values[at] ?? 0), 0),
    );
    const most = Math.max(...options);
    const likelihoods = options.map((score) => Math.exp(score - most));
    const total = likelihoods.reduce((sum, each) => sum + each, 0);
    const isRight = (at: number): boolean => (needsNote ? right.has(at) : at === passages.length);
    const rightTotal = likelihoods.reduce((sum, each, at) => sum + (isRight(at) ? each : 0), 0);
    for (const [at, likelihood] of likelihoods.entries()) {
      const pull = (isRight(at) ? likelihood / rightTotal : 0) - likelihood / total;
      for (const [feature, value] of (rows[at] ?? []).entries())
        gradient[feature] = (gradient[feature] ?? 0) + pull * value;
    }
  }
  return gradient;
}
