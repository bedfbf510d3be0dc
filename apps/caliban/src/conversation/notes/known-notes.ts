import type { Message } from "@caliban/agent-core";
import { framedNotes } from "@caliban/memory";
import { noncesIn } from "./note-reader.ts";

/** The memories that the model can see in the notes of a session. */
export interface KnownNotes {
  readonly has: (address: string) => boolean;
  readonly add: (address: string) => void;
  readonly size: () => number;
  /** These messages are all that the model sees now. */
  readonly restart: (messages: readonly Message[]) => void;
  /** Whether a frame with this nonce is one of ours. Any other may be forged. */
  readonly isOwnNonce: (nonce: string) => boolean;
}

/** Finds the notes in messages again, so that a resumed session repeats none. */
export function createKnownNotes(currentNonce: () => string | undefined): KnownNotes {
  const nonces = new Set<string>();
  let known = new Set<string>();
  const isOwnNonce = (nonce: string): boolean => nonce === currentNonce() || nonces.has(nonce);
  return {
    has: (address) => known.has(address),
    add: (address) => void known.add(address),
    size: () => known.size,
    restart: (messages) => {
      // A summary may have replaced the message that told the nonce.
      for (const nonce of [currentNonce() ?? [], ...messages.map(noncesOf)].flat())
        nonces.add(nonce);
      known = new Set(messages.flatMap((message) => addressesIn(message, isOwnNonce)));
    },
    isOwnNonce,
  };
}

function noncesOf(message: Message): readonly string[] {
  return message.role === "user" ? noncesIn(message.note ?? "") : [];
}

function addressesIn(message: Message, isOwnNonce: (nonce: string) => boolean): readonly string[] {
  if (message.role === "assistant") return [];
  const texts =
    message.role === "user" ? [message.note ?? ""] : message.results.map(({ text }) => text);
  return texts.flatMap((text) => framedNotes(text, isOwnNonce)).map(({ address }) => address);
}
