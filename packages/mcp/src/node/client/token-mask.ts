import { createSecretMask } from "@caliban/tools-builtin/node";
import type { McpServer } from "../../client/mcp-server.ts";

/** Puts a mark in place of what a server is reached with, which nobody else is to see. */
export function tokenMask(server: Pick<McpServer, "transport">): (text: string) => string {
  return createSecretMask(tokensOf(server));
}

function tokensOf({ transport }: Pick<McpServer, "transport">): readonly string[] {
  if (transport.kind !== "http") return [];
  return Object.values(transport.headers).flatMap((text) => [text, text.replace(/^\S+ /, "")]);
}
