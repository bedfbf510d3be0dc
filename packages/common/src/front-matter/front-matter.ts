import matter from "gray-matter";
import { parse, YAMLParseError } from "yaml";
import { splitFrontMatter } from "./split-front-matter.ts";

/** A Markdown file that may begin with a YAML header between two lines of `---`. */
export type FrontMatter =
  | { readonly kind: "none"; readonly body: string }
  | {
      readonly kind: "header";
      readonly data: Readonly<Record<string, unknown>>;
      /** The YAML between the two lines, as it was written. */
      readonly header: string;
      readonly body: string;
    }
  | { readonly kind: "broken"; readonly problem: string; readonly line: number };

/**
 * Reads a header as YAML and as nothing else: a word after `---` would choose another engine of gray-matter, one of
 * which runs code, so such a header is refused, and every engine but ours throws as well.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const split = splitFrontMatter(text);
  if (split.kind !== "header") return split;
  const { header, body } = split;
  try {
    const { data } = matter(`---\n${header}---\n`, { language: "yaml", engines: ENGINES });
    return { kind: "header", data, header, body };
  } catch (error) {
    return { kind: "broken", ...problemOf(error) };
  }
}

const ENGINES = {
  yaml: { parse: parseMap },
  json: { parse: refuse },
  javascript: { parse: refuse },
};

function parseMap(header: string): Record<string, unknown> {
  const data: unknown = parse(header, { logLevel: "error", stringKeys: true }) ?? {};
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw new NotAMapError();
  return Object.fromEntries(Object.entries(data));
}

function refuse(): never {
  throw new TypeError("a header is read as YAML only");
}

class NotAMapError extends Error {
  override readonly name = "NotAMapError" as const;
}

function problemOf(error: unknown): { readonly problem: string; readonly line: number } {
  if (error instanceof NotAMapError) {
    return { problem: "The header is not a list of keys with values.", line: 2 };
  }
  // An alias bomb is a plain ReferenceError.
  if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error;
  const [sentence = ""] = error.message.split("\n", 1);
  // gray-matter hands the header on with the line end before it, so the lines are those of the file.
  const line = error instanceof YAMLParseError ? (error.linePos?.[0].line ?? 2) : 2;
  return {
    problem: `The header is no YAML: ${sentence.replace(/ at line \d+, column \d+:?$/, "")}.`,
    line,
  };
}
