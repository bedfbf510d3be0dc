import { errorCode } from "@caliban/common/node";
import {
  chooseStale,
  type Limits,
  listCheckpoints,
  removeCheckpoints,
} from "./checkpoint-directory.ts";

interface RoomInput {
  readonly directory: string | undefined;
  /** The running session. */
  readonly keep: string | undefined;
  readonly limits: Limits;
  readonly notify: (message: string) => void;
  readonly now: () => number;
}

/** Erases the oldest checkpoints of other sessions, if all together take too much room. */
export function makeRoom({ directory, keep = "", limits, notify, now }: RoomInput): void {
  if (directory === undefined) return;
  const { totalBytes } = limits;
  try {
    const stale = chooseStale(listCheckpoints(directory), { totalBytes, keep, nowMs: now() });
    if (stale.length === 0) return;
    const bytes = stale.reduce((sum, { id }) => sum + (removeCheckpoints(directory, id) ?? 0), 0);
    notify(describe({ sessions: stale.length, bytes, totalBytes }));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    notify(`old checkpoints cannot be erased: ${code}`);
  }
}

function describe(input: {
  readonly sessions: number;
  readonly bytes: number;
  readonly totalBytes: number;
}): string {
  const sessions = `${input.sessions} old ${input.sessions === 1 ? "session" : "sessions"}`;
  const [freed, most] = [input.bytes, input.totalBytes].map((bytes) =>
    Math.max(1, Math.round(bytes / 1_000_000)),
  );
  return `erased the checkpoints of ${sessions} (${freed} MB), because checkpoints may take ${most} MB in total. Their files cannot be rewound any more.`;
}
