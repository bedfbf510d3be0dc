import { INDEX_FILE, parseTopicHeader } from "@caliban/memory";
import type { ImportedIndex, ImportedTopic } from "@caliban/memory/node";
import type { ImportRow } from "./import-table.ts";
import type { Instructions } from "./instructions.ts";
import type { ForeignFile } from "./sources/foreign-source.ts";

/** The rows of files that are imported by a line. */
export function instructionRows(
  instructions: Instructions | undefined,
  { isPreview, shown }: { readonly isPreview: boolean; readonly shown: (path: string) => string },
): readonly ImportRow[] {
  if (instructions === undefined) return [];
  const { globalFile, files } = instructions;
  return files.map(({ path, line, leftToYou }) => ({
    outcome:
      leftToYou === undefined ? (isPreview ? "to import" : "imported") : ("left to you" as const),
    name: "instructions",
    path,
    sentence:
      leftToYou === undefined
        ? `by a line in ${shown(globalFile)}`
        : `the line ${line} in ${shown(globalFile)} would import it; ${leftToYou}`,
  }));
}

/** The rows of topics, in the order of the files. */
export function topicRows(
  files: readonly ForeignFile[],
  imported: readonly ImportedTopic[],
  isPreview: boolean,
): readonly ImportRow[] {
  const results = imported.values();
  return files.map((file): ImportRow => {
    const { name, path, bytes, note } = file;
    const about = { name, path, bytes };
    if ("problem" in file) return { ...about, outcome: "not copied", sentence: file.problem };
    if (file.leftOut !== undefined)
      return { ...about, outcome: "left out", sentence: sentences(note, file.leftOut) };
    const { value: result } = results.next();
    return result === undefined
      ? { ...about, outcome: "not copied" }
      : { ...about, ...rowOf(result, file, isPreview) };
  });
}

function rowOf(
  result: ImportedTopic,
  file: Extract<ForeignFile, { readonly text: string }>,
  isPreview: boolean,
): Pick<ImportRow, "outcome" | "name" | "sentence"> {
  const { kind, name } = result;
  if (kind === "refused") return { name, outcome: "not copied", sentence: result.message };
  const { slug } = result;
  if (kind === "exists") {
    const state = result.isSame
      ? "the same text"
      : "it was taken over before, and changed here since";
    return { name: slug, outcome: "there already", sentence: sentences(state, renamed(result)) };
  }
  return {
    name: slug,
    outcome: isPreview ? "to copy" : "copied",
    sentence: sentences(
      file.note,
      result.isBeside ? `beside ${name}, which has another text` : renamed(result),
      flawOf(slug, file.text),
    ),
  };
}

function renamed({
  name,
  slug,
}: {
  readonly name: string;
  readonly slug: string;
}): string | undefined {
  return name === slug ? undefined : `its name there is ${JSON.stringify(name)}`;
}

/** What `memory doctor` would say of it: it is kept as it was written, and somebody has to mend it. */
function flawOf(slug: string, text: string): string | undefined {
  const [flaw] = parseTopicHeader(text).problems;
  if (flaw === undefined) return undefined;
  const word = /\s/.test(slug) ? JSON.stringify(slug) : slug;
  return `${flaw.message} \`caliban memory edit ${word}\` is for mending it`;
}

/** The row of the index, where there is one. */
export function indexRow(
  file: ForeignFile | undefined,
  result: ImportedIndex | undefined,
  isPreview: boolean,
): readonly ImportRow[] {
  if (file === undefined) return [];
  const about = { name: INDEX_FILE, path: file.path, bytes: file.bytes };
  if ("problem" in file) return [{ ...about, outcome: "not copied", sentence: file.problem }];
  switch (result?.kind) {
    case "taken":
      return [{ ...about, outcome: isPreview ? "to copy" : "copied" }];
    case "merged": {
      const sentence = "what it says more is added to yours";
      return [{ ...about, outcome: isPreview ? "to merge" : "merged", sentence }];
    }
    case "refused":
      return [{ ...about, outcome: "not copied", sentence: result.message }];
    case "known":
    case undefined:
      return [{ ...about, outcome: "there already", sentence: "it says nothing new" }];
  }
}

function sentences(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : said.join("; ");
}
