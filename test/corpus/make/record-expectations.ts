import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORPUS, type Corpus, copyCorpus, type Program } from "../../support/corpus/copy-corpus.ts";
import {
  observe,
  observeChange,
  observeExitCodes,
  observeMcpServer,
  observeModelTools,
  observePrefix,
} from "../../support/corpus/observe.ts";
import {
  ANSWERS,
  CHANGING,
  PREFIXES,
  READING,
  VARIABLES,
} from "../../support/corpus/recorded-commands.ts";

/** Writes down what this version makes of the corpus. */
export async function recordExpectations(program: Program): Promise<void> {
  const expected = join(CORPUS, "expected");
  rmSync(expected, { recursive: true, force: true });
  for (const name of ["prefix", "output", "variables"]) {
    mkdirSync(join(expected, name), { recursive: true });
  }
  const save = (name: string, value: unknown): void =>
    writeFileSync(join(expected, `${name}.json`), `${JSON.stringify(value, undefined, 1)}\n`);

  for (const [name, command] of Object.entries(PREFIXES)) {
    const prefix = await inCopy(program, (corpus) => observePrefix(corpus, command));
    writeFileSync(join(expected, "prefix", `${name}.txt`), prefix);
  }
  await inCopy(program, async (corpus) => {
    for (const [name, command] of Object.entries(READING)) {
      save(`output/${name}`, await observe(corpus, command));
    }
  });
  for (const [name, command] of Object.entries(CHANGING)) {
    save(`output/${name}`, await inCopy(program, (corpus) => observeChange(corpus, command)));
  }
  for (const [name, command] of Object.entries(ANSWERS)) {
    save(`output/${name}`, await inCopy(program, (corpus) => observe(corpus, command)));
  }
  for (const [name, command] of Object.entries(VARIABLES)) {
    save(`variables/${name}`, await inCopy(program, (corpus) => observe(corpus, command)));
  }
  save("exit-codes", await inCopy(program, observeExitCodes));
  save("model-tools", await inCopy(program, observeModelTools));
  save("mcp-server", await inCopy(program, observeMcpServer));
}

async function inCopy<Value>(
  program: Program,
  use: (corpus: Corpus) => Promise<Value>,
): Promise<Value> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "caliban-")));
  try {
    return await use(copyCorpus(directory, program));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
