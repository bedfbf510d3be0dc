import { join } from "node:path";
import { statIfExists } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { isAssertion } from "../../forgotten/forget-request.ts";
import {
  createForgottenIndex,
  type ForgottenIndex,
  type ForgottenMatch,
} from "../../forgotten/forgotten-index.ts";
import { removeStatements, statementsOf } from "../../forgotten/split-statements.ts";
import type { ForgottenTurn, Lift, Tombstone } from "../../forgotten/tombstone.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { readTombstones, type TombstoneFile } from "./tombstone-file.ts";

/** The name of the file in the home of a project, or in the user's directory. */
const FORGOTTEN_FILE = "forgotten.jsonl";

/** A statement to look up. The session and the offset of its turn, if it is from a session. */
interface LookedUpStatement {
  readonly text: string;
  readonly session?: string | undefined;
  readonly byte?: number | undefined;
}

/** What to forget. The text is not stored, only hashes of its terms. */
export interface ForgetInput {
  readonly statements: readonly string[];
  /** The topic that said it. */
  readonly slug?: string | undefined;
  /** The turns of past sessions that said it. */
  readonly turns?: readonly SpokenTurn[] | undefined;
  /** The session of an agent that was not asked to forget it. */
  readonly agentSession?: string | undefined;
}

/** A turn of a past session, with its text. */
export interface SpokenTurn extends Pick<ForgottenTurn, "session" | "byte"> {
  readonly text: string;
}

/** What was forgotten in a project. Every call sees the file as it is then. */
export interface Forgotten {
  /** Whether a text repeats something forgotten, in any words, asks to forget it, or is a turn that said it. */
  readonly isForgotten: (statement: LookedUpStatement) => boolean;
  /** Whether a turn is not to be learned from: it says something forgotten, or asks to forget it. */
  readonly isExcluded: (turn: Pick<SpokenTurn, "session" | "text">) => boolean;
  /** The forgotten statements that a text repeats. */
  readonly find: (text: string) => readonly ForgottenMatch[];
  /**
   * A Markdown text without the statements that were forgotten. Of what was made from a session whose turns are excluded,
   * as the text says or the argument, less has to be the same.
   */
  readonly strip: (
    text: string,
    from?: { readonly session?: string | undefined },
  ) => { readonly text: string; readonly removed: number };
  /** The sessions with turns that said something forgotten, and since when. */
  readonly excludedSessions: () => readonly { readonly session: string; readonly at: string }[];
  /** Everything that is forgotten, oldest first. */
  readonly list: () => readonly Tombstone[];
  /** Damaged lines of the files, which are ignored. */
  readonly problems: () => readonly string[];
  /** Changes whenever something is forgotten or lifted; empty when nothing is forgotten. */
  readonly fingerprint: () => string;
  /** Writes a tombstone; `undefined` if there is nothing that could be recognized again. @throws MemoryError `UNWRITABLE` */
  readonly forget: (input: ForgetInput) => Promise<string | undefined>;
  /** Lifts whole tombstones; returns how many there were. @throws MemoryError `UNWRITABLE` */
  readonly lift: (ids: readonly string[]) => Promise<number>;
  /** Lifts single statements. @throws MemoryError `UNWRITABLE` */
  readonly liftMatches: (matches: readonly ForgottenMatch[]) => Promise<void>;
  /** Lifts what a text of the user says again; questions and requests to forget do not count. Returns how many. */
  readonly liftSaid: (text: string) => Promise<number>;
}

export interface OpenForgottenOptions {
  /** More directories whose tombstones count, such as the user's. */
  readonly others?: readonly string[] | undefined;
  /** Called before the first write to the directory. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Milliseconds since 1970; the system clock if left out. */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens what was forgotten in a project. Nothing is read before the first lookup, and nothing is created before something
 * is forgotten.
 *
 * @example
 * import { openForgotten } from "@caliban/memory/forgotten";
 *
 * const forgotten = openForgotten("project-home");
 * await forgotten.forget({ statements: ["We deploy with pnpm ship."] });
 * console.log(forgotten.isForgotten({ text: "Deployments run via `pnpm ship`" })); // true
 * console.log(forgotten.isForgotten({ text: "We deploy with npm publish" })); // false
 */
export function openForgotten(directory: string, options: OpenForgottenOptions = {}): Forgotten {
  checkArguments("openForgotten", { directory }, { directory: "string" });
  const path = join(directory, FORGOTTEN_FILE);
  const others = (options.others ?? []).map((other) => join(other, FORGOTTEN_FILE));
  const paths = [path, ...others] as const;
  const hashTerm = createTermHash();
  let loaded: Loaded | undefined;
  const load = (): Loaded => {
    const fingerprint = paths.map(fingerprintOf).join(";");
    if (loaded?.fingerprint !== fingerprint) loaded = loadAll(paths, fingerprint, hashTerm);
    return loaded;
  };
  return { ...lookups(load, hashTerm), ...changes({ ...options, paths, hashTerm, load }) };
}

type HashTerm = (term: string, salt: string) => string;
type Changes = Pick<Forgotten, "forget" | "lift" | "liftMatches" | "liftSaid">;

function lookups(load: () => Loaded, hashTerm: HashTerm): Omit<Forgotten, keyof Changes> {
  return {
    isForgotten: ({ text, session, byte }) => {
      const { turns, index, tombstones } = load();
      if (tombstones.length === 0) return false;
      const isTurn = session !== undefined && byte !== undefined;
      if (isTurn && turns.has(`${session}#${byte}`)) return true;
      return index.find(text).length > 0 || index.isRequestFor(text);
    },
    isExcluded: ({ session, text }) => {
      const { turnHashes, index, tombstones } = load();
      if (tombstones.length === 0) return false;
      const isTurn = [...(turnHashes.get(session) ?? [])].some(
        ([hash, salt]) => hash === hashTerm(text, salt),
      );
      return isTurn || index.find(text).length > 0 || index.isRequestFor(text);
    },
    find: (text) => load().index.find(text),
    strip: (text, { session } = {}) => {
      const { tombstones, index } = load();
      if (tombstones.length === 0) return { text, removed: 0 };
      return removeStatements(text, (statement, cited) => {
        const sessions = session === undefined ? cited : [session];
        return index.find(statement).length > 0 || index.isMadeFrom(statement, sessions);
      });
    },
    excludedSessions: () =>
      load().tombstones.flatMap(({ at, turns }) =>
        [...new Set(turns.map(({ session }) => session))].map((session) => ({ session, at })),
      ),
    list: () => load().tombstones,
    problems: () => load().problems,
    fingerprint: () => {
      const { tombstones, fingerprint } = load();
      return tombstones.length === 0 ? "" : fingerprint;
    },
  };
}

interface ChangesInput extends OpenForgottenOptions {
  /** The first is written to; all of them are lifted from. */
  readonly paths: readonly [string, ...(readonly string[])];
  readonly hashTerm: HashTerm;
  readonly load: () => Loaded;
}

/** The code that writes is loaded by the first change. */
function changes({ paths, hashTerm, load, prepare, now }: ChangesInput): Changes {
  const [path] = paths;
  const liftMatches = async (matches: readonly ForgottenMatch[]): Promise<void> => {
    if (matches.length === 0) return;
    const { liftTombstones } = await import("./change-tombstones.ts");
    await liftTombstones(paths, toLifts(matches));
  };
  return {
    forget: async (input) => {
      const { addTombstone } = await import("./change-tombstones.ts");
      return await addTombstone({ path, input, hashTerm, prepare, now });
    },
    lift: async (ids) => {
      const { liftTombstones } = await import("./change-tombstones.ts");
      return await liftTombstones(
        paths,
        ids.map((id) => ({ id })),
      );
    },
    liftMatches,
    liftSaid: async (text) => {
      const { find } = load().index;
      const said = new Set(statementsOf(text).filter(isAssertion).flatMap(find));
      await liftMatches([...said]);
      return said.size;
    },
  };
}

function toLifts(matches: readonly ForgottenMatch[]): readonly Lift[] {
  const byId = Map.groupBy(matches, ({ tombstone }) => tombstone.id);
  return [...byId].map(([id, own]) => ({
    id,
    statements: [...new Set(own.map(({ statement }) => statement))],
  }));
}

interface Loaded {
  readonly fingerprint: string;
  readonly tombstones: readonly Tombstone[];
  readonly problems: readonly string[];
  readonly index: ForgottenIndex;
  /** Session and offset of each turn. */
  readonly turns: ReadonlySet<string>;
  /** By session, the hash of each turn's text and its salt. */
  readonly turnHashes: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function loadAll(paths: readonly string[], fingerprint: string, hashTerm: HashTerm): Loaded {
  const files = paths.map((path): TombstoneFile => readTombstones(path));
  const tombstones = files.flatMap((file) => file.tombstones);
  const turnHashes = new Map<string, Map<string, string>>();
  for (const { turns, salt } of tombstones) {
    for (const { session, hash } of turns) {
      const known = turnHashes.get(session) ?? new Map<string, string>();
      turnHashes.set(session, known.set(hash, salt));
    }
  }
  return {
    fingerprint,
    tombstones,
    problems: files.flatMap((file) => file.problems),
    index: createForgottenIndex(tombstones, hashTerm),
    turns: new Set(
      tombstones.flatMap(({ turns }) => turns.map(({ session, byte }) => `${session}#${byte}`)),
    ),
    turnHashes,
  };
}

/** Every change replaces the file. */
function fingerprintOf(path: string): string {
  const stats = statIfExists(path);
  return stats === undefined ? "" : `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}

/** More words than a project has. */
const MAX_CACHED_TERMS = 50_000;
/** Enough to tell words apart; words have little to hide in more. */
const HASH_CHARS = 16;

/** Hashes terms, each once. */
function createTermHash(): HashTerm {
  const known = new Map<string, string>();
  return (term, salt) => {
    const key = `${salt}:${term}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const hash = sha256Hex(key).slice(0, HASH_CHARS);
    if (known.size >= MAX_CACHED_TERMS) known.clear();
    if (term.length < 100) known.set(key, hash);
    return hash;
  };
}
