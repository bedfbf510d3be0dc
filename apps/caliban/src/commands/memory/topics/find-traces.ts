import { readArtifact } from "@caliban/autonomous-memory/node";
import { type SpokenTurn, statementsOf } from "@caliban/memory/forgotten";
import { searchTerms } from "@caliban/memory/search";
import { sessionFiles, streamTurns } from "@caliban/sessions/node";
import { learnedDirectory, sessionsDirectory } from "../../../project/locations.ts";

/** What learned memory and past sessions say about a text. */
export interface Traces {
  readonly learned: readonly string[];
  readonly turns: readonly TracedTurn[];
  /** All statements, each once. */
  readonly statements: readonly string[];
}

interface TracedTurn extends SpokenTurn {
  /** The sentence in it. */
  readonly statement: string;
}

const MAX_SESSIONS = 500;
const MAX_TURNS = 200;
/** A single word is in too many sentences to forget them all. */
const MIN_TERMS = 2;

/** Finds sentences with all the words of a text. */
export async function findTraces(projectHome: string, text: string): Promise<Traces> {
  const terms = searchTerms(text);
  if (terms.length < MIN_TERMS) return { learned: [], turns: [], statements: [] };
  const matches = (statement: string): boolean => {
    const own = new Set(searchTerms(statement));
    return terms.every((term) => own.has(term));
  };
  const learned = await learnedStatements(projectHome, matches);
  const turns = await tracedTurns(sessionsDirectory(projectHome), matches);
  const said = turns.map(({ statement }) => statement);
  return { learned, turns, statements: [...new Set([...learned, ...said])] };
}

type Matches = (statement: string) => boolean;

async function learnedStatements(
  projectHome: string,
  matches: Matches,
): Promise<readonly string[]> {
  const directory = learnedDirectory(projectHome);
  const files = await Promise.all(
    ["MEMORY.md", "memory_summary.md"].map((path) => readArtifact(directory, path)),
  );
  const texts = files.flatMap((file) => ("text" in file ? statementsOf(file.text) : []));
  return [...new Set(texts.filter(matches))];
}

async function tracedTurns(directory: string, matches: Matches): Promise<readonly TracedTurn[]> {
  const found: TracedTurn[] = [];
  for (const { id, path } of sessionFiles(directory).slice(0, MAX_SESSIONS)) {
    for await (const turns of streamTurns({ path, format: "caliban" })) {
      const traced = turns.flatMap(({ byte, text }) => {
        const statement = statementsOf(text).find(matches);
        return statement === undefined ? [] : [{ session: id, byte, text, statement }];
      });
      found.push(...traced);
    }
    if (found.length >= MAX_TURNS) break;
  }
  return found.slice(0, MAX_TURNS);
}
