import { terminalSafeLine } from "@caliban/common";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";
import type { ServedMemory } from "../served-memory.ts";

const MAX_URI_CHARACTERS = 2_000;

/**
 * Reads the text at an address.
 * @throws ProtocolError when nothing is there, or a rule keeps it from being read
 */
export async function readResource(
  uri: string,
  { policy, resolve, mask = unchanged, redactPaths = unchanged }: ServedMemory,
): Promise<string> {
  if (uri.length > MAX_URI_CHARACTERS)
    throw notFound(`the address is longer than ${MAX_URI_CHARACTERS} characters`);
  // The resolver decides again by what the address leads to.
  if ([ALL_MEMORY, uri].some((address) => memoryPermission(address, policy) !== "allow"))
    throw refused(uri);
  const resolved = await resolve(uri);
  if ("text" in resolved) return mask(resolved.text);
  if (resolved.isDenied === true) throw refused(uri);
  throw notFound(redactPaths(terminalSafeLine(resolved.problem)), uri);
}

function unchanged(text: string): string {
  return text;
}

function refused(uri: string): ProtocolError {
  const message = `cannot read ${uri}: denied by a permission rule of the user's`;
  return new ProtocolError(PROTOCOL_CODE.refused, message);
}

function notFound(message: string, uri?: string): ProtocolError {
  const data = uri === undefined ? undefined : { uri };
  return new ProtocolError(PROTOCOL_CODE.resourceNotFound, message, data);
}
