import { setImmediate as nextTurn } from "node:timers/promises";
import type { Invocation } from "../../../../../apps/caliban/src/command.ts";
import { EXIT, type ExitCode } from "../../../../../apps/caliban/src/exit-code.ts";
import { createConnection } from "../../serve/connection.ts";
import { guardMessages } from "../../serve/message-guard.ts";
import { openProject } from "../../../../../apps/caliban/src/commands/mcp/open-project.ts";
import { invocationOfClient } from "./client-directory.ts";
import { createRequestQueue } from "../../serve/request-queue.ts";
import { createStdioTransport } from "./stdio-transport.ts";
import { untilInterrupted } from "../../../../../apps/caliban/src/commands/mcp/serve.ts";

export interface ServeInput {
  readonly invocation: Invocation;
  readonly isReadOnly: boolean;
  /** Says one line to the person. */
  readonly say: (line: string) => void;
}

/**
 * Serves one client on stdin and stdout until the input ends or a signal comes. What it was asked for before is done to
 * its end.
 * @throws as `openServedProject` does for the directory of `--workspace`
 */
export async function serveStdio({ invocation, isReadOnly, say }: ServeInput): Promise<ExitCode> {
  const { host } = invocation;
  const interruption = untilInterrupted(host);
  const named =
    invocation.workspace === undefined ? undefined : await openProject(invocation, isReadOnly, say);
  const pipe = await host.openPipe();
  const work = createRequestQueue(pipe.hasRoom);
  const server = createConnection({
    host,
    instructions: { isReadOnly, offBy: named?.project.offBy ?? flagThatTurnsOff(invocation) },
    openProject: async (of) =>
      named ?? (await openProject(await invocationOfClient(invocation, of, say), isReadOnly, say)),
    work,
    say,
  });
  const transport = createStdioTransport({ pipe, hasRoom: work.hasRoom });
  await server.connect(guardMessages(transport));
  const code = await Promise.race([transport.ended.then(() => EXIT.done), interruption.ended]);
  // What was read last begins a moment later, and is done unless somebody is in a hurry.
  await nextTurn();
  await Promise.race([work.idle(), interruption.ended]);
  await work.end();
  await nextTurn();
  await server.close();
  interruption.stop();
  return code;
}

/** Known before the project is. */
function flagThatTurnsOff({ bare, memory }: Invocation): string | undefined {
  if (bare) return "--bare";
  return memory ? undefined : "--no-memory";
}
