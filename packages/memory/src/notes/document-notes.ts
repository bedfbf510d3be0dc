import { searchTerms } from "../search/analyzer/query-terms.ts";
import type { SourceDocument } from "../search/live-index/source.ts";
import { type EntryNotes, NO_NOTES, type NoteRecord } from "./note-record.ts";
import { splitSentences } from "./sentences.ts";
import { settling } from "./settles.ts";
import type { SaidTurn } from "./judged-turn.ts";
import { findStatements } from "./statements.ts";

const MAX_BODY_CHARACTERS = 3_000;
const MAX_NEAR_TERMS = 150;
const MAX_LINES = 200;
const MIN_LINE_STRENGTH = 0.7;

/** What of an entry's documents may be shown as a note. */
export function notesOf(documents: readonly SourceDocument[]): EntryNotes {
  const turns = documents.flatMap(turnOf);
  if (turns.length > 0) return findStatements(turns);
  const records = documents.flatMap(recordsOf);
  return records.length === 0 ? NO_NOTES : { records, vocabulary: [] };
}

/** Turns of a source that does not say who spoke are only searched. */
function turnOf({ id, kind, body = "", said, updatedMs }: SourceDocument): readonly SaidTurn[] {
  if (kind !== "turn" || said === undefined) return [];
  return [{ ...said, at: partOf(id), text: body, atMs: updatedMs }];
}

function recordsOf(document: SourceDocument): readonly NoteRecord[] {
  const { kind = "topic" } = document;
  if (kind === "topic") return [topicRecord(document)];
  return kind === "section" ? sectionRecords(document) : [];
}

function topicRecord(document: SourceDocument): NoteRecord {
  const { id, name = "", description = "", tags = "", headings = "", body = "" } = document;
  const own = searchTerms(
    `${name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")} ${name} ${description}`,
  );
  const near = searchTerms(`${tags} ${headings} ${body.slice(0, MAX_BODY_CHARACTERS)}`);
  return {
    at: partOf(id),
    kind: "topic",
    atMs: document.updatedMs,
    strength: 1,
    amends: false,
    own,
    near: without(near, own),
    applies: document.applies,
    supersedes: document.supersedes?.map(keyIn),
  };
}

/** A record for each sentence or item, because a section is a list of facts about different things. */
function sectionRecords(document: SourceDocument): readonly NoteRecord[] {
  const { id, name = "", body = "", updatedMs } = document;
  return splitSentences(body.slice(0, MAX_BODY_CHARACTERS * 4))
    .slice(0, MAX_LINES)
    .map(({ from, to, text }) => {
      const own = searchTerms(text);
      return {
        at: partOf(id),
        kind: "section",
        atMs: updatedMs,
        strength: Math.max(MIN_LINE_STRENGTH, settling(text).strength),
        amends: false,
        span: { from, to },
        own,
        near: without(searchTerms(name), own),
      };
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
