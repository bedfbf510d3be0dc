import { RequestError } from "@agentclientprotocol/sdk";
import { spellCommands, type SpellCommand, terminalSafe } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import { isSessionsError } from "@caliban/sessions";
import { isSettingsError, renderDiagnostic } from "@caliban/settings";
import { isUsageError } from "../../../usage-error.ts";

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const AUTH_REQUIRED = -32_000;
const NOT_FOUND = -32_002;

/** The client asked for something that cannot be done as it is. */
export function invalidParams(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

/** The request was fine, but its work failed. */
export function failed(message: string, data?: object): RequestError {
  return new RequestError(INTERNAL_ERROR, message, data);
}

/** No model can be used before the user has chosen how. */
export function authRequired(message: string): RequestError {
  return new RequestError(AUTH_REQUIRED, message);
}

/** No such session here. */
export function sessionNotFound(sessionId: string, message: string): RequestError {
  return new RequestError(NOT_FOUND, message, { sessionId });
}

export interface AnsweringInput {
  readonly command: SpellCommand;
  /** Shows the stack of a bug to the user. */
  readonly report: (text: string) => void;
}

/** Wraps a handler, so that what the user can fix becomes an error with that message, and a bug is reported. */
export function createAnswering({
  command,
  report,
}: AnsweringInput): <Input, Output>(
  handle: (input: Input) => Promise<Output>,
) => (input: Input) => Promise<Output> {
  return (handle) => async (input) => {
    try {
      return await handle(input);
    } catch (error) {
      if (error instanceof RequestError) throw error;
      const message = fixableMessage(error, command);
      if (message !== undefined) throw invalidParams(message);
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      report(`this is a bug in caliban, please report it:\n${terminalSafe(stack)}`);
      throw failed("this is a bug in caliban; its log has the details");
    }
  };
}

function fixableMessage(error: unknown, command: SpellCommand): string | undefined {
  if (isSettingsError(error)) {
    return error.problems.map((problem) => renderDiagnostic(problem, command)).join("\n");
  }
  if (isUsageError(error) || isMemoryError(error) || isSessionsError(error)) {
    return spellCommands(error, command);
  }
  return undefined;
}
