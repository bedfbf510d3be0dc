import { isRecord } from "@caliban/common";
import type { JsonObject } from "../prompts/find-json-object.ts";
import { type AnswerProblem, answerProblem, readAnswer, readText } from "../prompts/read-answer.ts";
import type { ConsolidatedMemory, MemorySkill, MemoryFile } from "../generation/memory.ts";

export type ParsedConsolidation =
  | { readonly kind: "memory"; readonly memory: ConsolidatedMemory }
  | AnswerProblem;

const KEYS = ["memory_md", "memory_summary", "skills"];

/**
 * Parses a model's answer with the complete memory. An empty text is a problem, so that it never replaces anything. Names
 * and paths are as the model wrote them.
 */
export function parseConsolidation(text: string): ParsedConsolidation {
  const answer = readAnswer(text, KEYS);
  if (answer.kind === "problem") return answer;
  const memoryMd = readFullText(answer.object, "memory_md");
  if (typeof memoryMd !== "string") return memoryMd;
  const memorySummary = readFullText(answer.object, "memory_summary");
  if (typeof memorySummary !== "string") return memorySummary;
  const skills = readList(answer.object, { key: "skills", isRequired: true, read: readSkill });
  if ("kind" in skills) return skills;
  return { kind: "memory", memory: { memoryMd, memorySummary, skills } };
}

function readFullText(object: JsonObject, key: string): string | AnswerProblem {
  const text = readText(object, key);
  return typeof text === "string" && text.trim() === "" ? answerProblem(`${key} is empty`) : text;
}

interface ListField<Item> {
  readonly key: string;
  /** Without a list, everything in it would count as deleted. */
  readonly isRequired: boolean;
  readonly read: (item: JsonObject) => Item | AnswerProblem;
}

function readList<Item extends object>(
  object: JsonObject,
  { key, isRequired, read }: ListField<Item>,
): readonly Item[] | AnswerProblem {
  const list = Object.hasOwn(object, key) ? object[key] : undefined;
  if (list === undefined || list === null)
    return isRequired ? answerProblem(`${key} is missing`) : [];
  if (!Array.isArray(list)) return answerProblem(`${key} is not a list`);
  const items: Item[] = [];
  for (const value of list as readonly unknown[]) {
    if (!isRecord(value)) return answerProblem(`${key} contains an item that is not an object`);
    const item = read(value);
    if (isProblem(item)) return answerProblem(`${key}: ${item.message}`);
    items.push(item);
  }
  return items;
}

function readSkill(object: JsonObject): MemorySkill | AnswerProblem {
  const name = readFullText(object, "name");
  if (typeof name !== "string") return name;
  const content = readFullText(object, "content");
  if (typeof content !== "string") return content;
  const scripts = readFiles(object, "scripts");
  if ("kind" in scripts) return scripts;
  const templates = readFiles(object, "templates");
  if ("kind" in templates) return templates;
  const examples = readFiles(object, "examples");
  if ("kind" in examples) return examples;
  return { name, content, scripts, templates, examples };
}

function readFiles(object: JsonObject, key: string): readonly MemoryFile[] | AnswerProblem {
  return readList(object, { key, isRequired: false, read: readPlacedFile });
}

function readPlacedFile(object: JsonObject): MemoryFile | AnswerProblem {
  const path = readText(object, "path");
  if (typeof path !== "string") return path;
  const content = readText(object, "content");
  return typeof content === "string" ? { path, content } : content;
}

function isProblem(item: object): item is AnswerProblem {
  return "kind" in item;
}
