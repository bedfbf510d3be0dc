import { searchTerms } from "../search/analyzer/query-terms.ts";
import type { SourceDocument } from "../search/live-index/source.ts";
import type { EntryNotes, Passage } from "./note-record.ts";
import { splitSentences } from "./sentences.ts";
import { isGeneral, settling } from "./settles.ts";
import type { SaidTurn } from "./judged-turn.ts";
import { findStatements } from "./statements.ts";

const MAX_BODY_CHARACTERS = 3_000;
const MAX_NEAR_TERMS = 150;
const MAX_LINES = 200;
const MIN_LINE_STRENGTH = 0.7;

/** What of an entry's documents may be shown as a note. */
export function notesOf(documents: readonly SourceDocument[]): EntryNotes {
  const turns = documents.flatMap(turnOf);
  return turns.length > 0 ? findStatements(turns) : documents.flatMap(passagesOf);
}

/** Turns of a source that does not say who spoke are only searched. */
function turnOf({ id, kind, body = "", said, updatedMs }: SourceDocument): readonly SaidTurn[] {
  if (kind !== "turn" || said === undefined) return [];
  return [{ ...said, at: partOf(id), text: body, atMs: updatedMs }];
}

function passagesOf(document: SourceDocument): readonly Passage[] {
  const { kind = "topic" } = document;
  if (kind === "topic") return [topicPassage(document)];
  return kind === "section" ? sectionPassages(document) : [];
}

function topicPassage(document: SourceDocument): Passage {
  const { id, name = "", description = "", tags = "", headings = "", body = "" } = document;
  const own = searchTerms(
    `${name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")} ${name} ${description}`,
  );
  const near = without(
    searchTerms(`${tags} ${headings} ${body.slice(0, MAX_BODY_CHARACTERS)}`),
    own,
  );
  const record = {
    at: partOf(id),
    kind: "topic" as const,
    atMs: document.updatedMs,
    strength: 1,
    amends: false,
    isGeneral: true,
    own,
    near,
    applies: document.applies,
    supersedes: document.supersedes?.map(keyIn),
  };
  return { title: own, vocabulary: near, records: [record] };
}

/** One for each sentence or item, because a section is a list of facts about different things. */
function sectionPassages(document: SourceDocument): readonly Passage[] {
  const { id, name = "", body = "", updatedMs } = document;
  const title = searchTerms(name);
  return splitSentences(body.slice(0, MAX_BODY_CHARACTERS * 4))
    .slice(0, MAX_LINES)
    .map(({ from, to, text }) => {
      const own = searchTerms(text);
      const record = {
        at: partOf(id),
        kind: "section" as const,
        atMs: updatedMs,
        strength: Math.max(MIN_LINE_STRENGTH, settling(text).strength),
        amends: false,
        isGeneral: isGeneral(text),
        span: { from, to },
        own,
        near: without(title, own),
      };
      return { title, vocabulary: [], records: [record] };
    });
}

function without(terms: readonly string[], own: readonly string[]): readonly string[] {
  const known = new Set(own);
  return terms.filter((term) => !known.has(term)).slice(0, MAX_NEAR_TERMS);
}

function partOf(id: string): string {
  return id.slice(id.indexOf("#") + 1);
}

/** The key of an entry in the id of its document: `topics:deploy#`. */
function keyIn(id: string): string {
  return id.slice(id.indexOf(":") + 1, -1);
}
