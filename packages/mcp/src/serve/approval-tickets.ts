import { isRecord } from "@caliban/common";
import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { sha256Hex } from "./skills/skill-answers.ts";

/**
 * Binds the answer of a user to the call that they were asked about, because between the two the server keeps nothing. A
 * ticket is signed with a key that ends with the process.
 */
export interface ApprovalTickets {
  readonly issue: (call: unknown, context: ServerContext) => Promise<string>;
  /** Whether the ticket was issued for this very call, and not too long ago. */
  readonly isFor: (call: unknown, ticket: unknown, context: ServerContext) => Promise<boolean>;
}

const KEY_BYTES = 32;

export function createApprovalTickets(): ApprovalTickets {
  let codec: RequestStateCodec | undefined;
  // Some runtimes have no randomness before the first request.
  const signed = (): RequestStateCodec =>
    (codec ??= createRequestStateCodec({ key: randomBytes(KEY_BYTES) }));
  return {
    issue: async (call, context) => await signed().mint({ call: await digest(call) }, context),
    isFor: async (call, ticket, context) => {
      if (typeof ticket !== "string") return false;
      try {
        const payload = await signed().verify(ticket, context);
        return isRecord(payload) && payload["call"] === (await digest(call));
      } catch (error) {
        // Not signed by this server, or expired.
        if (!(error instanceof Error)) throw error;
        return false;
      }
    },
  };
}

function randomBytes(length: number): Uint8Array {
  // oxlint-disable-next-line no-restricted-globals -- a key must be random, and every runtime has this
  return crypto.getRandomValues(new Uint8Array(length));
}

async function digest(call: unknown): Promise<string> {
  return await sha256Hex(new TextEncoder().encode(JSON.stringify(call)));
}
