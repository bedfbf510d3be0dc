import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Invocation } from "../../../../../apps/caliban/src/command.ts";
import { isRecord } from "@caliban/common";
import { chooseRoot } from "./client-root.ts";
import { PROTOCOL_CODE, ProtocolError } from "../../serve/protocol-error.ts";

/** A client that has roots tells them at once. */
const ROOTS_WITHIN_MS = 3_000;

/**
 * The invocation for the directory that a client works in: what the person named, else the client's one root, else
 * where the server was started. It is asked once, and no tool and no address leads to another one.
 * @throws ProtocolError when the roots do not name one directory
 */
export async function invocationOfClient(
  invocation: Invocation,
  server: Server,
  say: (line: string) => void,
): Promise<Invocation> {
  if (invocation.workspace !== undefined) return invocation;
  if (server.getClientCapabilities()?.roots === undefined) return invocation;
  const uris = await askForRoots(server, say);
  const choice = chooseRoot(uris);
  if (choice.kind === "none") return invocation;
  if (choice.kind === "directory") return { ...invocation, workspace: choice.directory };
  say(choice.sentence);
  throw new ProtocolError(PROTOCOL_CODE.refused, `There is no memory here: ${choice.sentence}.`);
}

async function askForRoots(
  server: Server,
  say: (line: string) => void,
): Promise<readonly string[]> {
  try {
    // By the loosest schema: the one for roots takes one that is no file for no answer at all.
    const answer = await server.request({ method: "roots/list" }, ResultSchema, {
      timeout: ROOTS_WITHIN_MS,
    });
    const { roots } = answer;
    return Array.isArray(roots) ? roots.map(uriOf) : [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say(
      `the client did not tell its roots (${error.message}), so the directory of the start counts`,
    );
    return [];
  }
}

function uriOf(root: unknown): string {
  return isRecord(root) ? String(root["uri"]) : "";
}
