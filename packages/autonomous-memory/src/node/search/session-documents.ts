import type { StreamedTurn } from "@caliban/sessions";
import { attachFacts } from "./attach-facts.ts";
import type { IndexedDocument, SearchTerms } from "./document-source.ts";
import { MAX_TURN_CHARACTERS } from "./sanitize-text.ts";
import type { SessionFacts } from "./session-facts.ts";

/** The name of the source, with which the ids of its documents start. */
export const SESSIONS = "sessions";

export interface SessionDocumentsInput {
  readonly key: string;
  readonly turns: readonly StreamedTurn[];
  /** How many turns of the session come before these. */
  readonly turnsBefore: number;
  /** When the file was last written, for turns without a time. */
  readonly updatedMs: number;
  /** Only for a session that is read completely. */
  readonly learned?: SessionFacts | undefined;
  readonly searchTerms: SearchTerms;
}

/** Creates a document for each turn, and one for the session if something was learned that belongs to no turn. */
export async function sessionDocuments(
  input: SessionDocumentsInput,
): Promise<readonly IndexedDocument[]> {
  const { turns, learned, searchTerms } = input;
  const cut = turns.map((turn) => ({ ...turn, text: turn.text.slice(0, MAX_TURN_CHARACTERS) }));
  const { byTurn, others } = await attachFacts(cut, learned?.facts ?? [], searchTerms);
  const documents = cut.map((turn, index) =>
    turnDocument(input, turn, { index, facts: byTurn.get(index) }),
  );
  const summary = learned?.summary ?? "";
  if (turns.length === 0 || (summary === "" && others.length === 0)) return documents;
  return [...documents, sessionDocument(input, summary, others)];
}

function turnDocument(
  { key, turnsBefore, updatedMs }: SessionDocumentsInput,
  { byte, text, at, role, isTainted, touched }: StreamedTurn,
  { index, facts }: { readonly index: number; readonly facts: readonly string[] | undefined },
): IndexedDocument {
  const spokenMs = at === undefined ? Number.NaN : Date.parse(at);
  return {
    id: `${SESSIONS}:${key}#${byte}`,
    kind: "turn",
    session: key,
    turn: turnsBefore + index,
    body: text,
    facts: facts?.join("\n"),
    updatedMs: Number.isNaN(spokenMs) ? updatedMs : spokenMs,
    said: { role, isTainted, touched },
  };
}

function sessionDocument(
  { key, updatedMs }: SessionDocumentsInput,
  summary: string,
  facts: readonly string[],
): IndexedDocument {
  return {
    id: `${SESSIONS}:${key}#summary`,
    kind: "session",
    session: key,
    body: summary,
    facts: facts.length === 0 ? undefined : facts.join("\n"),
    updatedMs,
  };
}

/** The session and byte offset of a turn that was found; `undefined` for the id of anything else. */
export function locateTurn(
  id: string,
): { readonly key: string; readonly byte: number } | undefined {
  const [, key = "", byte = ""] = /^sessions:([\w-]{1,200})#(\d{1,16})$/.exec(id) ?? [];
  return key === "" ? undefined : { key, byte: Number(byte) };
}
