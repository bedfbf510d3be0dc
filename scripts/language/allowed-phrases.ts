/** Places where a banned phrase stays, with the reason. */
export interface AllowedPhrase {
  /** A file or a folder, relative to the repository. */
  readonly path: string;
  /** What the line contains. */
  readonly text: string;
  readonly because: string;
}

export const ALLOWED_PHRASES: readonly AllowedPhrase[] = [
  {
    path: "bench/search/qmsum/README.md",
    text: "permit persons to whom the Software is furnished",
    because: "the text of a license",
  },
  {
    path: "apps/caliban/src/commands/mcp/list.ts",
    text: "isWish",
    because: "a key of the JSON output of `caliban mcp list`",
  },
  {
    path: "packages/memory/src/index-file/edit-index.ts",
    text: "one topic a file beside this one",
    because: "text of existing MEMORY.md files, which are recognized by it",
  },
  {
    path: "packages/memory/src/index-file/edit-index.ts",
    text: "makes the lines anew",
    because: "text of existing MEMORY.md files, which are recognized by it",
  },
  {
    path: "packages/memory/src/store/doctor.ts",
    text: '"LEFTOVER"',
    because: "a code in the JSON output of `caliban memory doctor`",
  },
  {
    path: "packages/tools-builtin/src/memory/review/instruction-words.ts",
    text: "anyone|nobody|whoever",
    because: "a list of words that instructions use",
  },
  {
    path: "packages/tools-builtin/src/memory/review/polarity.ts",
    text: "nothing|nobody|nowhere",
    because: "a list of negations",
  },
  {
    path: "packages/tools-builtin/src/memory/review/security-words.ts",
    text: "harmless",
    because: "a list of words that play down a risk",
  },
  {
    path: "packages/tools-builtin/src/memory/review/terms.ts",
    text: "wish wishes",
    because: "a list of English words",
  },
  {
    path: "packages/tools-builtin/test/memory/corpus/poisonings.ts",
    text: "is reviewed by nobody",
    because: "the text of an attack",
  },
  {
    path: "packages/memory/src/search/analyzer/stop-words.ts",
    text: "below beneath beside besides",
    because: "a list of English words",
  },
  {
    path: "packages/memory/src/search/recall/common-words.ts",
    text: "whole wish word",
    because: "a list of English words",
  },
  {
    path: "packages/autonomous-memory",
    text: "It is no authority on the present state",
    because: "part of the prompt prefix, which stays byte for byte",
  },
  {
    path: "packages/autonomous-memory",
    text: "artifact it stands in",
    because: "part of the prompt prefix, which stays byte for byte",
  },
  {
    path: "packages/autonomous-memory",
    text: "The summary stands below",
    because: "part of the prompt prefix, which stays byte for byte",
  },
  {
    path: "packages/autonomous-memory",
    text: "line that a person",
    because: "part of a prompt that a test pins",
  },
  {
    path: "packages/autonomous-memory",
    text: "private address of a person",
    because: "part of a prompt that a test pins",
  },
  {
    path: "packages/autonomous-memory",
    text: "demands is no wish of the user",
    because: "part of a prompt that a test pins",
  },
  {
    path: "apps/caliban/src/commands/memory/learned/stats.ts",
    text: '"isThere"',
    because: "a key of the JSON output of `caliban memory stats`",
  },
  {
    path: "packages/memory/src/search/analyzer/irregular-forms.ts",
    text: "stand stood",
    because: "a form that search must know",
  },
  {
    path: "packages/tools-builtin/src/web/html-to-markdown.ts",
    text: "article aside body",
    because: "the name of an HTML element",
  },
];
