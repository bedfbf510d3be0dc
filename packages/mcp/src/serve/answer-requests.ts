import { MemoryError } from "@caliban/memory";
import { renderProblem, SettingsError } from "@caliban/settings";
import { UsageError } from "../../../../apps/caliban/src/usage-error.ts";
import type { ClientView } from "./client-view.ts";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import type { RequestQueue } from "./request-queue.ts";

interface AnsweringInput {
  readonly side: () => Promise<ClientView>;
  readonly work: RequestQueue;
  readonly say: (line: string) => void;
}

type Handler<Request, Result> = (
  request: Request,
  side: ClientView,
  signal: AbortSignal,
) => Promise<Result>;

/** Makes handlers that wait for the project and for their turn, and whose failures are errors of the protocol. */
export function createAnswerer({
  side,
  work,
  say,
}: AnsweringInput): <Request, Result>(
  handler: Handler<Request, Result>,
) => (request: Request, extra: { readonly signal: AbortSignal }) => Promise<Result> {
  return (handler) =>
    async (request, { signal }) => {
      let hidePlaces = asItIs;
      const handle = async (): ReturnType<typeof handler> => {
        const open = await side();
        ({ hidePlaces } = open.project);
        return await handler(request, open, signal);
      };
      try {
        return await work.run(handle, signal);
      } catch (error) {
        throw asProtocolError(error, { hidePlaces, say });
      }
    };
}

/** What keeps a project from being opened is the person's to mend, and may name places of theirs. */
export function openingFailure(error: unknown, say: AnsweringInput["say"]): ProtocolError {
  if (error instanceof ProtocolError) return error;
  for (const line of linesOf(error)) say(line);
  const sentence = "The memory cannot be opened; the server says on its stderr what is wrong.";
  return new ProtocolError(PROTOCOL_CODE.internalError, sentence);
}

/** Before there is a project, there are no places of it. */
function asItIs(text: string): string {
  return text;
}

function asProtocolError(
  error: unknown,
  {
    hidePlaces,
    say,
  }: { readonly hidePlaces: (text: string) => string } & Pick<AnsweringInput, "say">,
): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof MemoryError) {
    return new ProtocolError(PROTOCOL_CODE.internalError, `${hidePlaces(error.message)}.`);
  }
  for (const line of linesOf(error)) say(line);
  const sentence = "Something is wrong in caliban itself; the server says on its stderr what.";
  return new ProtocolError(PROTOCOL_CODE.internalError, sentence);
}

/** For the person. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.problems.map(renderProblem);
  if (error instanceof UsageError || error instanceof MemoryError) return [error.message];
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return ["this is a bug in caliban, please report it:", ...stack.split("\n")];
}
