import type { FinishedToolCall, Message } from "@caliban/agent-core";
import { createQueue } from "@caliban/common";
import { type Note, type NoteRequest, type NoteTrigger, renderNote } from "@caliban/memory";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import { createKnownNotes, type KnownNotes } from "./known-notes.ts";

/** What finds notes. */
export type NoteSearch = Pick<OpenedMemorySearch, "note" | "ready">;

export interface SessionNotesInput {
  /** `undefined` while notes for this are off. */
  readonly search: (about: "message" | "call") => NoteSearch | undefined;
  /** The file or command that a call was about. */
  readonly triggerOf: (finished: FinishedToolCall) => NoteTrigger | undefined;
  readonly isReadable: (address: string) => boolean;
  /** The nonce that the model was told. Without one there are no notes. */
  readonly nonce: () => string | undefined;
  /** Masks the user's keys in the note of a message. The results of tools are masked as a whole. */
  readonly mask: (text: string) => string;
  readonly nowMs: () => number;
  /** Called with each note that the model will see. */
  readonly onShown: (note: Note) => void;
}

/** The notes of a session: each memory once, until a summary replaces it. */
export interface SessionNotes extends Pick<KnownNotes, "isOwnNonce"> {
  /** A note for the user's message. Never waits for the index: without it, only topics that the message names are found. */
  readonly forMessage: (text: string) => Promise<string | undefined>;
  /** A note for a call that ran. The first call waits a moment for an index that is being prepared. */
  readonly forCall: (finished: FinishedToolCall) => Promise<string | undefined>;
  /** The index is loaded, or will be soon. */
  readonly onPreparing: () => void;
  /** Continues another session, which has these messages. */
  readonly restart: (messages: readonly Message[]) => void;
  /** These messages are all that the model sees of the session from now on. */
  readonly onCompacted: (messages: readonly Message[]) => void;
  /** How many notes the session got, as far as is known. */
  readonly count: () => number;
}

/** How long the first call of a process waits for the index. Later calls wait for nothing. */
const FIRST_WAIT_MS = 3_000;

/** Creates the notes of a session. Parallel calls are served one after another, so that none repeats a memory. */
export function createSessionNotes(input: SessionNotesInput): SessionNotes {
  const { nowMs, isReadable } = input;
  const inOrder = createQueue();
  const known = createKnownNotes(input.nonce);
  let isPreparing = false;
  let firstWait: Promise<boolean> | undefined;
  /** The user's last message, and whether it still has no note because the index was not loaded. */
  let message = { text: "", isPending: false };
  let count = 0;

  const find = async (search: NoteSearch, trigger: NoteTrigger): Promise<Note | undefined> => {
    const request: NoteRequest = { trigger, isKnown: known.has, isReadable, nowMs: nowMs() };
    const isMessage = trigger.kind === "message";
    return await search.note(isMessage ? request : { ...request, message: message.text });
  };
  const show = (note: Note | undefined): string | undefined => {
    const nonce = input.nonce();
    if (note === undefined || nonce === undefined) return undefined;
    known.add(note.source.address);
    count += 1;
    input.onShown(note);
    return renderNote({ note, nonce, nowMs: nowMs() });
  };
  const findForCall = async (finished: FinishedToolCall): Promise<Note | undefined> => {
    const search = input.search("call");
    const trigger = input.triggerOf(finished);
    if (search === undefined || (trigger === undefined && !isSearch(finished))) return undefined;
    firstWait ??= search.ready(FIRST_WAIT_MS);
    await firstWait;
    const found = trigger && (await find(search, trigger));
    if (found !== undefined || !message.isPending) return found;
    message = { ...message, isPending: false };
    return await find(search, { kind: "message", text: message.text });
  };
  const forMessage = async (text: string): Promise<string | undefined> => {
    const search = input.search("message");
    message = { text, isPending: false };
    if (search === undefined || text.trim() === "") return undefined;
    // Asking whether the index is loaded would load it, and the first request must not wait for that.
    const isReady = isPreparing && (await search.ready(0));
    const note = show(await find(search, { kind: "message", text }));
    message = { text, isPending: !isReady && note === undefined };
    return note && input.mask(note);
  };

  return {
    isOwnNonce: known.isOwnNonce,
    onCompacted: known.restart,
    restart: (messages) => {
      known.restart(messages);
      count = known.size();
    },
    forMessage: async (text) => await inOrder(async () => await forMessage(text)),
    forCall: async (finished) =>
      await inOrder(async () => {
        const note = await findForCall(finished);
        // The user interrupted in the meantime, so the model will not see it.
        return finished.call.signal?.aborted === true ? undefined : show(note);
      }),
    onPreparing: () => void (isPreparing = true),
    count: () => count,
  };
}

/** Calls that look for something: a message without a note gets it here. */
function isSearch({ tool, result }: FinishedToolCall): boolean {
  return ["Grep", "Glob"].includes(tool.name) && result.isError !== true;
}
