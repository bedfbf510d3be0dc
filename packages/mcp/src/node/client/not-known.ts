import type { ServerRecord } from "../../client/server-record.ts";
import type { LoadedRecord } from "./record-store.ts";
import type { ManagedServer } from "./managed-server.ts";

const DAY_MS = 86_400_000;
/** One that does not answer would else make every run wait for it. */
const AFTER_FAILURE_MS = 600_000;

/** Whether a run without a screen asks a server for its list: it is not known or old, and the last try is a while ago. */
export function isToBeAsked({ list, failure }: ServerRecord, nowMs: number): boolean {
  if (failure !== undefined && nowMs - failure.atMs < AFTER_FAILURE_MS) return false;
  return list === undefined || nowMs - list.atMs > DAY_MS;
}

/** What a person should know of a server that offers nothing yet. */
export function notKnown(
  { server, state }: Pick<ManagedServer, "server" | "state">,
  { list, failure, problem }: LoadedRecord,
  isAsked: boolean,
): readonly string[] {
  const damaged = problem === undefined ? [] : [`mcp: ${server.name}: ${problem}`];
  // One that was asked a moment ago, as by a reload, and did not answer was told of then.
  if (list !== undefined || state().kind === "absent") return damaged;
  const why = failure === undefined ? "" : ` (${failure.sentence})`;
  const next = isAsked
    ? "its tools are not known yet; it is asked beside this session, and the next one has what it offers"
    : `its tools are not known, and it is left alone for some minutes, because it failed${why}`;
  return [...damaged, `mcp: ${server.name}: ${next}`];
}
