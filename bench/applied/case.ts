/** A past conversation: its day, then its lines: `u:` the user, `a:` the agent, `t:` a tool and a path or command. */
export type SessionLines = readonly [day: string, ...lines: readonly string[]];

/** A task that depends on what was said in past conversations. */
export interface AppliedCase {
  readonly name: string;
  readonly sessions: readonly SessionLines[];
  /** What the user asks for. */
  readonly message: string;
  /** The first call of the agent: `read PATH`, `edit PATH`, `create PATH` or `run COMMAND`. */
  readonly call: string;
  /** The text that the call reads or writes. */
  readonly text?: string;
  /** Must be in the note; a case without it must get no note. */
  readonly expect?: RegExp;
  /** What held before, which may be shown only as such. */
  readonly stale?: RegExp;
}

/** A repository with its cases. */
export interface CaseSet {
  readonly name: string;
  readonly cases: readonly AppliedCase[];
  /** Conversations with decisions of their own that no case needs. */
  readonly decoys: readonly SessionLines[];
}

const SESSIONS = 200;

/** All conversations of a set, filled up with those in which nothing is decided. */
export function sessionsOf(
  { cases, decoys }: CaseSet,
  fill: (count: number) => readonly SessionLines[],
): readonly SessionLines[] {
  const own = [...cases.flatMap(({ sessions }) => sessions), ...decoys];
  return [...own, ...fill(Math.max(0, SESSIONS - own.length))];
}
