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

/**
 * The conversations of a case. In a conversation without tools, the agent applies what was said to a file next to the one
 * that the task is about, as it would.
 */
export function sessionsOf({ sessions, call }: AppliedCase): readonly SessionLines[] {
  const [verb, path = ""] = call.split(" ");
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  if (verb === "run" || directory === "") return sessions;
  const extension = /\.\w+$/.exec(path)?.[0] ?? "";
  return sessions.map((lines) =>
    lines.some((line) => line.startsWith("t: "))
      ? lines
      : [...lines, `t: Edit ${directory}common${extension}`, "a: Done."],
  );
}
