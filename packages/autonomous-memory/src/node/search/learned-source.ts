import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseFrontMatter, parsePlainFrontMatter } from "@caliban/common/front-matter";
import { hasCode, readTextFile } from "@caliban/common/node";
import type { ForgottenStatements } from "../../forgotten/forgotten-statements.ts";
import { currentGenerationDirectory } from "../generations/read-guidance.ts";
import type {
  DocumentSource,
  IndexedDocument,
  ReadEntry,
  ShownText,
  SourceEntry,
} from "./document-source.ts";
import { sectionDescription, splitSections } from "./markdown-sections.ts";
import { plainText } from "./sanitize-text.ts";

const LEARNED = "learned";
const MEMORY_FILE = "MEMORY.md";
const MAX_MEMORY_BYTES: number = 1024 * 1024;
const MAX_SKILL_BYTES: number = 128 * 1024;
const MAX_SKILLS = 200;
const SKILL_KEY = /^skills\/([A-Za-z0-9][\w.-]{0,63})$/;

/**
 * Makes learned memory searchable: the sections of the current generation's `MEMORY.md`, and its skills. `directory`
 * contains the generations; without one there is nothing to find.
 */
export function learnedSource(
  directory: string | undefined,
  { forgotten }: LearnedSourceOptions = {},
): DocumentSource {
  const generation = (): string | undefined =>
    directory === undefined ? undefined : currentGenerationDirectory(directory);
  return {
    name: LEARNED,
    list: async () => {
      const current = generation();
      if (current === undefined) return [];
      const since = forgotten?.fingerprint() ?? "";
      const entries = listEntries(current);
      return since === ""
        ? entries
        : entries.map(({ key, fingerprint }) => ({ key, fingerprint: `${fingerprint}:${since}` }));
    },
    read: async ({ key }) => {
      const current = generation();
      return current === undefined ? undefined : await readEntry(current, key, forgotten);
    },
    show: async (id) => {
      const current = generation();
      const shown = current === undefined ? undefined : await showDocument(current, id);
      const left = shown === undefined ? undefined : withoutForgotten(shown, forgotten);
      return left?.text.trim() === "" && shown?.text.trim() !== "" ? undefined : left;
    },
  };
}

interface LearnedSourceOptions {
  /** What the user forgot, which is not found. */
  readonly forgotten?: SearchedForgotten | undefined;
}

type SearchedForgotten = Pick<ForgottenStatements, "strip"> & {
  /** Changes whenever something is forgotten. */
  readonly fingerprint: () => string;
};

/** Sections keep their numbers, even if nothing is left of one. */
function withoutForgotten(shown: ShownText, forgotten: SearchedForgotten | undefined): ShownText {
  if (forgotten === undefined) return shown;
  const { text, removed } = forgotten.strip(shown.text);
  const about = forgotten.strip(shown.description);
  if (removed + about.removed === 0) return shown;
  return {
    ...shown,
    text: about.removed > 0 && shown.kind === "skill" ? "" : text,
    description: about.text,
  };
}

/** The inode makes files of different generations differ, even with the same content. */
function listEntries(generation: string): readonly SourceEntry[] {
  const skills = skillNames(join(generation, "skills")).map((name) => `skills/${name}`);
  return [MEMORY_FILE, ...skills].flatMap((key) => {
    const stats = lstatSync(filePath(generation, key), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return [];
    return [{ key, fingerprint: `${stats.mtimeMs}:${stats.size}:${stats.ino}` }];
  });
}

function filePath(generation: string, key: string): string {
  return key === MEMORY_FILE ? join(generation, key) : join(generation, key, "SKILL.md");
}

/** Real directories only, in the same order on every machine. */
function skillNames(directory: string): readonly string[] {
  try {
    if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && SKILL_KEY.test(`skills/${entry.name}`))
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MAX_SKILLS);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

type LearnedFile =
  | { readonly text: string; readonly updatedMs: number }
  | { readonly problem: string };

/** `undefined` when the file no longer exists. */
async function readFile(generation: string, key: string): Promise<LearnedFile | undefined> {
  const path = filePath(generation, key);
  const maxBytes = key === MEMORY_FILE ? MAX_MEMORY_BYTES : MAX_SKILL_BYTES;
  const file = readTextFile(path, maxBytes, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  if (file.kind !== "text")
    return { problem: `memory://root/${key} is not searched: ${file.message}.` };
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return { text: plainText(file.text), updatedMs: Math.round(stats?.mtimeMs ?? 0) };
}

async function readEntry(
  generation: string,
  key: string,
  forgotten: SearchedForgotten | undefined,
): Promise<ReadEntry | undefined> {
  const file = await readFile(generation, key);
  if (file === undefined) return undefined;
  const nothing: ReadEntry = { change: "replace", documents: [], cursor: "" };
  if ("problem" in file) return { ...nothing, problem: file.problem };
  const all = key === MEMORY_FILE ? toSections(file.text) : [toSkill(key, file.text)];
  const shown = all.map((each) => withoutForgotten(each, forgotten));
  return {
    ...nothing,
    documents: shown.map(({ kind, name, description, text }, index): IndexedDocument => ({
      id: `${LEARNED}:${key}#${key === MEMORY_FILE ? index : ""}`,
      kind,
      name,
      description,
      body: text,
      updatedMs: file.updatedMs,
    })),
  };
}

function toSections(text: string): readonly ShownText[] {
  return splitSections(text).map(({ path, body }) => ({
    kind: "section",
    name: path.length === 0 ? MEMORY_FILE : path.join(" › "),
    address: `memory://root/${MEMORY_FILE}`,
    type: undefined,
    description: sectionDescription(body),
    text: body,
  }));
}

function toSkill(key: string, text: string): ShownText {
  const { description, body } = parseSkillText(text);
  const name = SKILL_KEY.exec(key)?.[1] ?? key;
  const address = `memory://root/${key}/SKILL.md`;
  return { kind: "skill", name, address, type: undefined, description, text: body };
}

/** A SKILL.md whose header is invalid is all body. */
function parseSkillText(text: string): { readonly description: string; readonly body: string } {
  const plain = text.replace(/^\uFEFF/, "");
  const parsed = parsePlainFrontMatter(plain) ?? parseFrontMatter(plain);
  if (parsed.kind !== "header") return { description: "", body: plain };
  const { description } = parsed.data;
  const line = typeof description === "string" ? description.replaceAll(/\s+/g, " ").trim() : "";
  return { description: line, body: parsed.body.trim() };
}

async function showDocument(generation: string, id: string): Promise<ShownText | undefined> {
  const [, key = "", index = ""] = /^learned:([^#]{1,100})#(\d{0,9})$/.exec(id) ?? [];
  if (key !== MEMORY_FILE && !SKILL_KEY.test(key)) return undefined;
  const file = await readFile(generation, key);
  if (file === undefined || "problem" in file) return undefined;
  return key === MEMORY_FILE ? toSections(file.text)[Number(index)] : toSkill(key, file.text);
}
