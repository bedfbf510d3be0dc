import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  CORPUS,
  CORPUS_ROOT,
  copyCorpus,
  readManifest,
} from "../../../test/support/corpus/copy-corpus.ts";
import {
  commandLine,
  EXIT_CODES,
  type RecordedCommand,
} from "../../../test/support/corpus/recorded-commands.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { machine } from "./fake-host.ts";

// test/compatibility.test.ts runs a sample of these as processes of the built program.
it("ends with the exit code of version 0.0.0 for every recorded command line", async () => {
  const corpus = copyCorpus(await temporaryDirectory(), { bin: "", node: process.execPath });
  const here = await machine();
  const run = async ({ args, stdin, env = {} }: RecordedCommand): Promise<number> => {
    const { exitCode } = await here
      .with({
        home: corpus.home,
        cwd: join(corpus.home, "app"),
        env: { HOME: corpus.home, PATH: process.env["PATH"], ...env },
        now: () => Date.parse(readManifest().now),
        inputKind: () => (stdin === undefined ? "none" : "pipe"),
        readInput: async () => stdin ?? "",
      })
      .caliban(...args.map((arg) => arg.replaceAll(CORPUS_ROOT, corpus.root)));
    return exitCode;
  };
  const codes: Record<string, number> = {};
  for (const command of EXIT_CODES) codes[commandLine(command)] = await run(command);
  const expected = readFileSync(join(CORPUS, "expected/exit-codes.json"), "utf8");
  expect(codes).toEqual(JSON.parse(expected));
});
