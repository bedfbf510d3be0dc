import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { currentGenerationDirectory } from "@caliban/autonomous-memory/node";
import { hasCode, readTextFile } from "@caliban/common/node";
import type {
  ReadEntry,
  SearchDocument,
  SearchSource,
  ShownDocument,
  SourceEntry,
} from "@caliban/memory/search";
import { plainText } from "./redact-text.ts";
import { firstSentence, splitSections } from "./memory-sections.ts";
import { parseFrontMatter, parsePlainFrontMatter } from "@caliban/common/front-matter";

const LEARNED = "learned";
const MEMORY_FILE = "MEMORY.md";
const MAX_MEMORY_BYTES: number = 1024 * 1024;
const MAX_SKILL_BYTES: number = 128 * 1024;
const MOST_SKILLS = 200;
const SKILL_KEY = /^skills\/([A-Za-z0-9][\w.-]{0,63})$/;

/**
 * What was learned from past sessions: the sections of its `MEMORY.md`, and its skills, all of the current generation.
 * `directory` is where the generations are; without one there is nothing.
 */
export function learnedSource(directory: string | undefined): SearchSource {
  const place = (): string | undefined =>
    directory === undefined ? undefined : currentGenerationDirectory(directory);
  return {
    name: LEARNED,
    list: async () => {
      const current = place();
      return current === undefined ? [] : entriesIn(current);
    },
    read: async ({ key }) => {
      const current = place();
      return current === undefined ? undefined : await readFile(current, key);
    },
    show: async (id) => {
      const current = place();
      return current === undefined ? undefined : await showDocument(current, id);
    },
  };
}

/** Files of another generation are others, also where they say the same. */
function entriesIn(place: string): readonly SourceEntry[] {
  const skills = skillNames(join(place, "skills")).map((name) => `skills/${name}`);
  return [MEMORY_FILE, ...skills].flatMap((key) => {
    const stats = lstatSync(pathOf(place, key), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return [];
    return [{ key, sign: `${stats.mtimeMs}:${stats.size}:${stats.ino}` }];
  });
}

function pathOf(place: string, key: string): string {
  return key === MEMORY_FILE ? join(place, key) : join(place, key, "SKILL.md");
}

/** Of real directories; in one order on every machine. */
function skillNames(directory: string): readonly string[] {
  try {
    if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && SKILL_KEY.test(`skills/${entry.name}`))
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MOST_SKILLS);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/** The text of a file, and when it was written; why it cannot be read, or `undefined` when it is gone. */
async function textOf(
  place: string,
  key: string,
): Promise<
  { readonly text: string; readonly updatedMs: number } | { readonly problem: string } | undefined
> {
  const path = pathOf(place, key);
  const maxBytes = key === MEMORY_FILE ? MAX_MEMORY_BYTES : MAX_SKILL_BYTES;
  const file = await readTextFile(path, maxBytes, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text")
    return { problem: `memory://root/${key} is left out: ${file.message}.` };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return { text: plainText(file.text), updatedMs: Math.round(stats?.mtimeMs ?? 0) };
}

async function readFile(place: string, key: string): Promise<ReadEntry | undefined> {
  const file = await textOf(place, key);
  if (file === undefined) return undefined;
  const nothing: ReadEntry = { change: "replace", documents: [], cursor: "" };
  if ("problem" in file) return { ...nothing, problem: file.problem };
  const shown = key === MEMORY_FILE ? sectionsIn(file.text) : [skillIn(key, file.text)];
  return {
    ...nothing,
    documents: shown.map(({ kind, name, description, text }, at): SearchDocument => ({
      id: `${LEARNED}:${key}#${key === MEMORY_FILE ? at : ""}`,
      kind,
      name,
      description,
      body: text,
      updatedMs: file.updatedMs,
    })),
  };
}

type ShownText = Exclude<ShownDocument, { readonly kind: "turn" }>;

function sectionsIn(text: string): readonly ShownText[] {
  return splitSections(text).map(({ path, body }) => ({
    kind: "section",
    name: path.length === 0 ? MEMORY_FILE : path.join(" › "),
    address: `memory://root/${MEMORY_FILE}`,
    type: undefined,
    description: firstSentence(body),
    text: body,
  }));
}

function skillIn(key: string, text: string): ShownText {
  const { description, body } = readSkillText(text);
  const name = SKILL_KEY.exec(key)?.[1] ?? key;
  const address = `memory://root/${key}/SKILL.md`;
  return { kind: "skill", name, address, type: undefined, description, text: body };
}

async function showDocument(place: string, id: string): Promise<ShownDocument | undefined> {
  const [, key = "", at = ""] = /^learned:([^#]{1,100})#(\d{0,9})$/.exec(id) ?? [];
  if (key !== MEMORY_FILE && !SKILL_KEY.test(key)) return undefined;
  const file = await textOf(place, key);
  if (file === undefined || "problem" in file) return undefined;
  return key === MEMORY_FILE ? sectionsIn(file.text)[Number(at)] : skillIn(key, file.text);
}

/** What a SKILL.md says. */
export interface SkillText {
  readonly description: string;
  readonly body: string;
}

/** Reads a SKILL.md; one whose header is broken is all body. */
export function readSkillText(text: string): SkillText {
  const plain = text.replace(/^\uFEFF/, "");
  const parsed = parsePlainFrontMatter(plain) ?? parseFrontMatter(plain);
  if (parsed.kind !== "header") return { description: "", body: plain };
  const { description } = parsed.data;
  const line = typeof description === "string" ? description.replaceAll(/\s+/g, " ").trim() : "";
  return { description: line, body: parsed.body.trim() };
}
