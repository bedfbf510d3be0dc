import { parseJson } from "@caliban/common";
import { isJsonObject, type JsonObject } from "../record/json-value.ts";
import { objectIn } from "./record-reader.ts";

/** A tool result as text. */
export interface ResultText {
  readonly text: string;
  readonly isError: boolean;
}

const TEXT_BLOCKS: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);
// Shells report it at the beginning.
const MAX_SCANNED_CHARACTERS = 400;
const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)\s*$/m;

/** The text blocks of a message, without images and so on. */
export function blockTexts(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (typeof block === "string") return [block];
    if (!isJsonObject(block) || !TEXT_BLOCKS.has(block["type"])) return [];
    return typeof block["text"] === "string" ? [block["text"]] : [];
  });
}

/** Reads a result in any form: text, blocks, an object, or an object as JSON text. */
export function readResult(content: unknown): ResultText {
  if (typeof content === "string") return fromText(content);
  if (Array.isArray(content)) return fromText(blockTexts(content).join("\n"));
  return isJsonObject(content) ? fromObject(content) : { text: "", isError: false };
}

function fromText(text: string): ResultText {
  const value = text.startsWith('{"') && text.includes('"output"') ? parseJson(text) : undefined;
  if (isJsonObject(value) && typeof value["output"] === "string" && "metadata" in value)
    return { text: value["output"], isError: isFailure(value) };
  const code = EXIT_CODE.exec(text.slice(0, MAX_SCANNED_CHARACTERS))?.[1];
  return { text, isError: code !== undefined && Number(code) !== 0 };
}

function fromObject(value: JsonObject): ResultText {
  const ended = objectIn(value, "Ok") ?? value;
  const content = ended["content"] ?? ended["output"] ?? value["Err"];
  const { text, isError } = isJsonObject(content)
    ? { text: "", isError: false }
    : readResult(content);
  return { text, isError: isError || "Err" in value || isFailure(ended) };
}

function isFailure(value: JsonObject): boolean {
  const code = objectIn(value, "metadata")?.["exit_code"];
  const isReported =
    [value["is_error"], value["isError"]].includes(true) || value["success"] === false;
  return isReported || (typeof code === "number" && code !== 0);
}
