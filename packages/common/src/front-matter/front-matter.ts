import { parse, YAMLParseError } from "yaml";
import { splitFrontMatter } from "./split-front-matter.ts";

/** A Markdown file that may begin with a YAML header between two lines of `---`. */
export type FrontMatter =
  | { readonly kind: "none"; readonly body: string }
  | {
      readonly kind: "header";
      readonly data: Readonly<Record<string, unknown>>;
      /** The YAML between the two lines, as written. */
      readonly header: string;
      readonly body: string;
    }
  | { readonly kind: "broken"; readonly message: string; readonly line: number };

/** Reads a header as YAML, and as nothing else. */
export function parseFrontMatter(text: string): FrontMatter {
  return parseFrontMatterWith(parseYamlMap, text);
}

/**
 * The same with another way to read the header. It gets the header with a line end before it and none after, so that
 * line numbers are those of the file, and must throw what `parseYamlMap` throws.
 */
export function parseFrontMatterWith(
  parseHeader: (header: string) => Readonly<Record<string, unknown>>,
  text: string,
): FrontMatter {
  const split = splitFrontMatter(text);
  if (split.kind !== "header") return split;
  try {
    return { ...split, data: parseHeader(`\n${split.header.replace(/\n$/, "")}`) };
  } catch (error) {
    return { kind: "broken", ...describeError(error) };
  }
}

/** The map that a YAML text consists of; empty for an empty text. @throws for anything else */
export function parseYamlMap(yaml: string): Record<string, unknown> {
  const data: unknown = parse(yaml, { logLevel: "error", stringKeys: true }) ?? {};
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw new NotAMapError();
  return Object.fromEntries(Object.entries(data));
}

class NotAMapError extends Error {
  override readonly name = "NotAMapError" as const;
}

function describeError(error: unknown): { readonly message: string; readonly line: number } {
  if (error instanceof NotAMapError) {
    return { message: "The header is not a list of keys with values.", line: 2 };
  }
  // An alias bomb is a plain ReferenceError.
  if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error;
  const [reason = ""] = error.message.split("\n", 1);
  const line = error instanceof YAMLParseError ? (error.linePos?.[0].line ?? 2) : 2;
  return {
    message: `The header is not valid YAML: ${reason.replace(/ at line \d+, column \d+:?$/, "")}.`,
    line,
  };
}
