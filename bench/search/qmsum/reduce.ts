// `node bench/search/qmsum/reduce.ts <directory>`: creates the two files next to it from `val.jsonl` and `test.jsonl` of QMSum.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, gzipSync } from "node:zlib";

interface Original {
  readonly meeting_transcripts: readonly { readonly speaker: string; readonly content: string }[];
  readonly specific_query_list: readonly {
    readonly query: string;
    readonly relevant_text_span: readonly (readonly [string, string])[];
  }[];
}

const [from] = process.argv.slice(2);
if (from === undefined) throw new Error("pass the directory with val.jsonl and test.jsonl");
for (const split of ["val", "test"]) {
  const lines = readFileSync(join(from, `${split}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const text = lines.map((line) => `${JSON.stringify(reduced(JSON.parse(line)))}\n`).join("");
  const packed = gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(join(import.meta.dirname, `${split}.jsonl.gz`), packed);
}

function reduced({ meeting_transcripts, specific_query_list }: Original): object {
  return {
    turns: meeting_transcripts.map(({ speaker, content }) => [speaker, content]),
    questions: specific_query_list.map(({ query, relevant_text_span }) => ({
      query,
      spans: relevant_text_span.map((span) => span.map(Number)),
    })),
  };
}
