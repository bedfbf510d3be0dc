import type { SearchDocument } from "@caliban/memory/search";
import type { SpokenTurn } from "@caliban/sessions";
import { attachFacts } from "./attach-facts.ts";
import { MAX_TURN_CHARACTERS } from "./redact-text.ts";
import type { SessionFacts } from "./session-facts.ts";

/** The name of the source, with which ids of its documents begin. */
export const SESSIONS = "sessions";

export interface SessionDocumentsInput {
  readonly key: string;
  readonly turns: readonly SpokenTurn[];
  /** How many turns of the session there are before these. */
  readonly turnsBefore: number;
  /** When the file was last written to, for turns that say no time. */
  readonly updatedMs: number;
  /** What was learned from the session; for a session that is read whole. */
  readonly learned?: SessionFacts | undefined;
}

/** A document for each turn, and where something was learned that is no turn's, one for the session. */
export async function sessionDocuments(
  input: SessionDocumentsInput,
): Promise<readonly SearchDocument[]> {
  const { turns, learned } = input;
  const cut = turns.map((turn) => ({ ...turn, text: turn.text.slice(0, MAX_TURN_CHARACTERS) }));
  const { byTurn, others } = await attachFacts(cut, learned?.facts ?? []);
  const documents = cut.map((turn, at) => turnDocument(input, turn, { at, facts: byTurn.get(at) }));
  const summary = learned?.summary ?? "";
  if (turns.length === 0 || (summary === "" && others.length === 0)) return documents;
  return [...documents, sessionDocument(input, summary, others)];
}

function turnDocument(
  { key, turnsBefore, updatedMs }: SessionDocumentsInput,
  { byte, text, at: saidAt }: SpokenTurn,
  { at, facts }: { readonly at: number; readonly facts: readonly string[] | undefined },
): SearchDocument {
  const saidMs = saidAt === undefined ? Number.NaN : Date.parse(saidAt);
  return {
    id: `${SESSIONS}:${key}#${byte}`,
    kind: "turn",
    session: key,
    turn: turnsBefore + at,
    body: text,
    facts: facts?.join("\n"),
    updatedMs: Number.isNaN(saidMs) ? updatedMs : saidMs,
  };
}

function sessionDocument(
  { key, updatedMs }: SessionDocumentsInput,
  summary: string,
  facts: readonly string[],
): SearchDocument {
  return {
    id: `${SESSIONS}:${key}#summary`,
    kind: "session",
    session: key,
    body: summary,
    facts: facts.length === 0 ? undefined : facts.join("\n"),
    updatedMs,
  };
}

/** The session and the place of a turn that was found; `undefined` for an id of something else. */
export function locateTurn(
  id: string,
): { readonly key: string; readonly byte: number } | undefined {
  const [, key = "", byte = ""] = /^sessions:([\w-]{1,200})#(\d{1,16})$/.exec(id) ?? [];
  return key === "" ? undefined : { key, byte: Number(byte) };
}
