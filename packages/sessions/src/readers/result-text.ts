import { isJsonObject, type JsonObject, parseJson } from "../json-value.ts";
import { objectIn } from "./record-reader.ts";

/** What a tool gave back, as text. */
export interface ResultText {
  readonly text: string;
  readonly isError: boolean;
}

const TEXT_BLOCKS: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);
// Where shells say it, it stands at the beginning.
const LOOKED_AT = 400;
const EXIT_CODE = /^(?:Exit code: |Process exited with code )(-?\d+)\s*$/m;

/** The texts among the blocks of a message, without images and the like. */
export function blockTexts(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (typeof block === "string") return [block];
    if (!isJsonObject(block) || !TEXT_BLOCKS.has(block["type"])) return [];
    return typeof block["text"] === "string" ? [block["text"]] : [];
  });
}

/** Reads a result however it is written: as text, as blocks, as an object, or as one that is written in a text. */
export function readResult(content: unknown): ResultText {
  if (typeof content === "string") return ofText(content);
  if (Array.isArray(content)) return ofText(blockTexts(content).join("\n"));
  return isJsonObject(content) ? ofObject(content) : { text: "", isError: false };
}

function ofText(text: string): ResultText {
  const value = text.startsWith('{"') && text.includes('"output"') ? parseJson(text) : undefined;
  if (isJsonObject(value) && typeof value["output"] === "string" && "metadata" in value)
    return { text: value["output"], isError: isFailure(value) };
  const code = EXIT_CODE.exec(text.slice(0, LOOKED_AT))?.[1];
  return { text, isError: code !== undefined && Number(code) !== 0 };
}

function ofObject(value: JsonObject): ResultText {
  const ended = objectIn(value, "Ok") ?? value;
  const content = ended["content"] ?? ended["output"] ?? value["Err"];
  const { text, isError } = isJsonObject(content)
    ? { text: "", isError: false }
    : readResult(content);
  return { text, isError: isError || "Err" in value || isFailure(ended) };
}

function isFailure(value: JsonObject): boolean {
  const code = objectIn(value, "metadata")?.["exit_code"];
  const isSaid = [value["is_error"], value["isError"]].includes(true) || value["success"] === false;
  return isSaid || (typeof code === "number" && code !== 0);
}
