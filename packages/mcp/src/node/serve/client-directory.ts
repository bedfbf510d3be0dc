import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Invocation } from "../../../../../apps/caliban/src/command.ts";
import { isRecord } from "@caliban/common";
import { PROTOCOL_CODE, ProtocolError } from "../../serve/protocol-error.ts";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

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

/** Which directory a client's roots name, or why they name none. */
export type RootChoice =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly sentence: string };

const USE_THE_FLAG = "start `caliban mcp` with --workspace DIR to say which directory is meant";

/** A memory belongs to one project, so there must be one root; none at all leaves the choice to whoever started the server. */
export function chooseRoot(uris: readonly string[]): RootChoice {
  const directories = uris.map(directoryOf);
  const known = new Set(directories.flatMap((directory) => directory ?? []));
  if (directories.includes(undefined)) {
    return problem(`the client has a root that is no directory of this machine; ${USE_THE_FLAG}`);
  }
  const [directory] = known;
  if (known.size > 1) {
    return problem(`the client has ${known.size} roots, and a memory is of one; ${USE_THE_FLAG}`);
  }
  return directory === undefined ? { kind: "none" } : { kind: "directory", directory };
}

function directoryOf(uri: string): string | undefined {
  try {
    const path = fileURLToPath(new URL(uri));
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
  } catch (error) {
    // No URL, not one of a file, one of another machine, or one that may not be looked at.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

function problem(sentence: string): RootChoice {
  return { kind: "problem", sentence };
}
