import { hash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { currentGenerationDirectory } from "@caliban/autonomous-memory/node";
import { hasCode, readTextFile } from "@caliban/common/node";

/** What was learned from a session. */
export interface SessionFacts {
  readonly summary: string;
  readonly facts: readonly string[];
  /** Changes whenever the rest does. */
  readonly fingerprint: string;
}

export type FactsBySession = ReadonlyMap<string, SessionFacts>;

const MAX_RAW_BYTES: number = 4 * 1024 * 1024;
const MAX_SUMMARY_BYTES: number = 64 * 1024;
const MOST_SUMMARIES = 1_000;
const MOST_FACTS = 200;
const LONGEST_FACT = 1_000;
const NONE: FactsBySession = new Map();

/**
 * Gives what the current generation has of each session, and reads it again only when there is another one. `directory`
 * is where the generations are.
 */
export function createSessionFacts(directory: string | undefined): () => Promise<FactsBySession> {
  let read: { readonly sign: string; readonly facts: FactsBySession } | undefined;
  return async () => {
    const place = directory === undefined ? undefined : currentGenerationDirectory(directory);
    if (place === undefined) return NONE;
    const sign = [place, signOf(join(place, RAW)), signOf(join(place, SUMMARIES))].join(" ");
    if (read?.sign !== sign) read = { sign, facts: await readFacts(place) };
    return read.facts;
  };
}

const RAW = "raw_memories.md";
const SUMMARIES = "rollout_summaries";

function signOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
}

async function readFacts(place: string): Promise<FactsBySession> {
  const raw = await textOf(join(place, RAW), MAX_RAW_BYTES);
  const facts = parseFacts(raw);
  const summaries = await readSummaries(join(place, SUMMARIES));
  const sessions = new Set([...facts.keys(), ...summaries.keys()]);
  return new Map(
    Array.from(sessions, (session) => {
      const own = { summary: summaries.get(session) ?? "", facts: facts.get(session) ?? [] };
      const sign = hash("sha256", JSON.stringify(own)).slice(0, 12);
      return [session, { ...own, sign }];
    }),
  );
}

/** Empty for what cannot be read: facts are a help, and without them the sessions are found by their own words. */
async function textOf(path: string, maxBytes: number): Promise<string> {
  const file = await readTextFile(path, maxBytes, { refuseLinks: true });
  return file.kind === "text" ? file.text : "";
}

async function readSummaries(directory: string): Promise<ReadonlyMap<string, string>> {
  const names = namesIn(directory).filter((name) => name.endsWith(".md"));
  const texts = await Promise.all(
    names.slice(0, MOST_SUMMARIES).map((name) => textOf(join(directory, name), MAX_SUMMARY_BYTES)),
  );
  const summaries = new Map<string, string>();
  for (const text of texts) {
    const found = SUMMARY.exec(text);
    if (found !== null) summaries.set(found[1] ?? "", text.slice(found[0].length).trim());
  }
  return summaries;
}

const SUMMARY = /^session: (\S{1,200})\n(?:date: [^\n]*\n)?/;

function namesIn(directory: string): readonly string[] {
  try {
    if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return [];
    throw error;
  }
}

const SESSION = /^## Session (\S{1,200}) \([\w-]{1,20}\)$/;
const BULLET = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const KIND = /^\[[\w -]{1,30}\]\s+/;
const EVIDENCE = /\s\(session [^()]{1,2000}\)$/;
const NO_FACT = /^(?:#{1,6}\s|\(.*\)$)/;

/** The lines that each session left, without marks of a list, of a kind and of evidence. */
export function parseFacts(raw: string): ReadonlyMap<string, readonly string[]> {
  const facts = new Map<string, string[]>();
  let own: string[] | undefined;
  for (const line of raw.split("\n")) {
    const session = SESSION.exec(line)?.[1];
    if (session !== undefined) {
      own = facts.get(session) ?? [];
      facts.set(session, own);
      continue;
    }
    const text = line.slice(0, LONGEST_FACT).trim();
    if (own === undefined || own.length >= MOST_FACTS || NO_FACT.test(text)) continue;
    const fact = text.replace(BULLET, "").replace(KIND, "").replace(EVIDENCE, "").trim();
    if (fact !== "") own.push(fact);
  }
  return facts;
}
