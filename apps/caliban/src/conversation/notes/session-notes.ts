import type { FinishedToolCall } from "@caliban/agent-core";
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
  readonly redact: (text: string) => Promise<string>;
  readonly nowMs: () => number;
  /** Called with each note that the model will see. */
  readonly onShown: (note: Note) => void;
}

/** The notes of a session: each memory once, until a summary replaces it. */
export interface SessionNotes extends Pick<KnownNotes, "has" | "restart" | "isOwnNonce"> {
  /** A note for the user's message. Never waits for the index. */
  readonly forMessage: (text: string) => Promise<string | undefined>;
  /** A note for a call that ran. The first call waits a moment for an index that is being prepared. */
  readonly forCall: (finished: FinishedToolCall) => Promise<string | undefined>;
  /** The index is loaded, or will be soon. */
  readonly onPreparing: () => void;
  /** How many notes the model has seen since the session was opened. */
  readonly count: () => number;
}

/** How long the first call of a process waits for the index. Later calls wait for nothing. */
const FIRST_WAIT_MS = 3_000;

/** Creates the notes of a session. Parallel calls are served one after another, so that none repeats a memory. */
export function createSessionNotes(input: SessionNotesInput): SessionNotes {
  const inOrder = createQueue();
  const known = createKnownNotes(input.nonce);
  let isPreparing = false;
  let firstWait: Promise<boolean> | undefined;
  /** The user's last message, and whether it still has no note because the index was not loaded. */
  let message = { text: "", isPending: false };
  let count = 0;

  const find = async (search: NoteSearch, trigger: NoteTrigger): Promise<Note | undefined> =>
    await search.note({
      trigger,
      ...(trigger.kind === "message" ? {} : { message: message.text }),
      isKnown: known.has,
      isReadable: input.isReadable,
      nowMs: input.nowMs(),
    } satisfies NoteRequest);
  const show = async (note: Note | undefined): Promise<string | undefined> => {
    const nonce = input.nonce();
    if (note === undefined || nonce === undefined) return undefined;
    const shown = await redacted(note, input.redact);
    known.add(note.source.address);
    count += 1;
    input.onShown(shown);
    return renderNote({ note: shown, nonce, nowMs: input.nowMs() });
  };
  const noteForCall = async (finished: FinishedToolCall): Promise<Note | undefined> => {
    const search = input.search("call");
    const trigger = input.triggerOf(finished);
    if (search === undefined || (trigger === undefined && !isFileTool(finished))) return undefined;
    firstWait ??= search.ready(FIRST_WAIT_MS);
    await firstWait;
    const found = trigger && (await find(search, trigger));
    if (found !== undefined || !message.isPending) return found;
    message = { ...message, isPending: false };
    return await find(search, { kind: "message", text: message.text });
  };

  return {
    ...known,
    forMessage: async (text) => {
      const search = input.search("message");
      const isReady = isPreparing && search !== undefined && (await search.ready(0));
      message = { text, isPending: !isReady };
      if (!isReady || text.trim() === "") return undefined;
      return await inOrder(async () => await show(await find(search, { kind: "message", text })));
    },
    forCall: async (finished) =>
      await inOrder(async () => {
        const note = await noteForCall(finished);
        // The user interrupted in the meantime, so the model will not see it.
        return finished.call.signal?.aborted === true ? undefined : await show(note);
      }),
    onPreparing: () => {
      isPreparing = true;
    },
    count: () => count,
  };
}

/** Calls that look for something: a message without a note gets it here. */
function isFileTool({ tool, result }: FinishedToolCall): boolean {
  return ["Grep", "Glob"].includes(tool.name) && result.isError !== true;
}

async function redacted(note: Note, redact: SessionNotesInput["redact"]): Promise<Note> {
  const { was } = note;
  const text = await redact(note.text);
  if (was === undefined) return { ...note, text };
  return { ...note, text, was: { ...was, text: await redact(was.text) } };
}
