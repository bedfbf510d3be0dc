import { hash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode, readTextFile } from "@caliban/common/node";
import { currentGenerationDirectory } from "../generations/read-guidance.ts";

/** What was learned from a session. */
export interface SessionFacts {
  readonly summary: string;
  readonly facts: readonly string[];
  /** Changes whenever the summary or the facts do. */
  readonly fingerprint: string;
}

export type FactsBySession = ReadonlyMap<string, SessionFacts>;

const MAX_RAW_BYTES: number = 4 * 1024 * 1024;
const MAX_SUMMARY_BYTES: number = 64 * 1024;
const MAX_SUMMARIES = 1_000;
const MAX_FACTS = 200;
const MAX_FACT_CHARACTERS = 1_000;
const NONE: FactsBySession = new Map();

/**
 * Returns what the current generation contains about each session, and reads it again only when it changed.
 * `directory` contains the generations.
 */
export function createSessionFacts(directory: string | undefined): () => Promise<FactsBySession> {
  let known: { readonly fingerprint: string; readonly facts: FactsBySession } | undefined;
  return async () => {
    const generation = directory === undefined ? undefined : currentGenerationDirectory(directory);
    if (generation === undefined) return NONE;
    const files = [RAW, SUMMARIES].map((name) => fileFingerprint(join(generation, name)));
    const fingerprint = [generation, ...files].join(" ");
    if (known?.fingerprint !== fingerprint)
      known = { fingerprint, facts: await readFacts(generation) };
    return known.facts;
  };
}

const RAW = "raw_memories.md";
const SUMMARIES = "rollout_summaries";

function fileFingerprint(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
}

async function readFacts(generation: string): Promise<FactsBySession> {
  const facts = parseFacts(await readText(join(generation, RAW), MAX_RAW_BYTES));
  const summaries = await readSummaries(join(generation, SUMMARIES));
  const sessions = new Set([...facts.keys(), ...summaries.keys()]);
  return new Map(
    Array.from(sessions, (session) => {
      const own = { summary: summaries.get(session) ?? "", facts: facts.get(session) ?? [] };
      const fingerprint = hash("sha256", JSON.stringify(own)).slice(0, 12);
      return [session, { ...own, fingerprint }];
    }),
  );
}

/** Empty when it cannot be read: facts only help, and sessions are still found by their own words. */
async function readText(path: string, maxBytes: number): Promise<string> {
  const file = readTextFile(path, maxBytes, { refuseLinks: true });
  return file.kind === "text" ? file.text : "";
}

async function readSummaries(directory: string): Promise<ReadonlyMap<string, string>> {
  const names = listNames(directory).filter((name) => name.endsWith(".md"));
  const texts = await Promise.all(
    names.slice(0, MAX_SUMMARIES).map((name) => readText(join(directory, name), MAX_SUMMARY_BYTES)),
  );
  const summaries = new Map<string, string>();
  for (const text of texts) {
    const header = SUMMARY_HEADER.exec(text);
    if (header !== null) summaries.set(header[1] ?? "", text.slice(header[0].length).trim());
  }
  return summaries;
}

const SUMMARY_HEADER = /^session: (\S{1,200})\n(?:date: [^\n]*\n)?/;

function listNames(directory: string): readonly string[] {
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
const NOT_A_FACT = /^(?:#{1,6}\s|\(.*\)$)/;

/** Parses the facts of each session, without list markers, kinds and evidence. */
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
    const text = line.slice(0, MAX_FACT_CHARACTERS).trim();
    if (own === undefined || own.length >= MAX_FACTS || NOT_A_FACT.test(text)) continue;
    const fact = text.replace(BULLET, "").replace(KIND, "").replace(EVIDENCE, "").trim();
    if (fact !== "") own.push(fact);
  }
  return facts;
}
