import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRecord } from "@caliban/common";
import { ResultSchema } from "@modelcontextprotocol/core";
import type { Server } from "@modelcontextprotocol/server";
import { PROTOCOL_CODE, ProtocolError } from "../../serve/protocol-error.ts";

/** A client that has roots answers at once. */
const ROOTS_TIMEOUT_MS = 3_000;

export interface ClientDirectoryInput {
  readonly client: Pick<Server, "getClientCapabilities" | "request">;
  readonly report: (message: string) => void;
  /** How the user names the directory instead; the end of a message about roots that name none. */
  readonly hint: string;
}

/**
 * Asks a client for the directory it works in; `undefined` if it has none, as since 2026-07-28. A memory belongs to one
 * project, so the roots must name one directory.
 * @throws ProtocolError when they do not
 */
export async function findClientDirectory(
  input: ClientDirectoryInput,
): Promise<string | undefined> {
  const { client, report, hint } = input;
  if (client.getClientCapabilities()?.roots === undefined) return undefined;
  const choice = chooseRoot(await requestRoots(client, report));
  if (choice.kind === "none") return undefined;
  if (choice.kind === "directory") return choice.directory;
  const message = `${choice.message}; ${hint}`;
  report(message);
  throw new ProtocolError(PROTOCOL_CODE.refused, `cannot open a memory: ${message}`);
}

async function requestRoots(
  client: Pick<Server, "request">,
  report: (message: string) => void,
): Promise<readonly string[]> {
  try {
    // The schema for roots would reject the whole answer for one root that is not a file.
    const { roots } = await client.request({ method: "roots/list" }, ResultSchema, {
      timeout: ROOTS_TIMEOUT_MS,
    });
    return Array.isArray(roots) ? roots.map(uriOf) : [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    report(`the client did not list its roots (${error.message}); using the current directory`);
    return [];
  }
}

function uriOf(root: unknown): string {
  return isRecord(root) ? String(root["uri"]) : "";
}

/** The directory that a client's roots name, or why they name none. */
export type RootChoice =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly message: string };

export function chooseRoot(uris: readonly string[]): RootChoice {
  const directories = uris.map(directoryOf);
  if (directories.includes(undefined))
    return { kind: "problem", message: "the client has a root that is not a directory here" };
  const known = new Set(directories.flatMap((directory) => directory ?? []));
  if (known.size > 1) {
    const message = `the client has ${known.size} roots, but a memory belongs to one project`;
    return { kind: "problem", message };
  }
  const [directory] = known;
  return directory === undefined ? { kind: "none" } : { kind: "directory", directory };
}

function directoryOf(uri: string): string | undefined {
  try {
    const path = fileURLToPath(new URL(uri));
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
  } catch (error) {
    // Not a URL, not a file URL, one of another machine, or one that may not be accessed.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}
