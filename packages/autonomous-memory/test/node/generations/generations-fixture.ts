import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Generations } from "../../../src/generation/generations.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";

/** A memory in a directory that is removed after the test. */
export interface GenerationsFixture {
  readonly directory: string;
  readonly generations: Generations;
  /** A path in a generation. */
  readonly at: (number: number, path: string) => string;
  readonly text: (number: number, path: string) => string;
  readonly edit: (number: number, path: string, change: (text: string) => string) => void;
  /** All names in the directory and in `generations`. */
  readonly names: () => readonly string[];
}

export async function createFixture(): Promise<GenerationsFixture> {
  const directory = join(await temporaryDirectory(), "autonomous");
  const at = (number: number, path: string): string =>
    join(directory, "generations", String(number), path);
  const text = (number: number, path: string): string => readFileSync(at(number, path), "utf8");
  return {
    directory,
    generations: createGenerations({ directory }),
    at,
    text,
    edit: (number, path, change) => writeFileSync(at(number, path), change(text(number, path))),
    names: () => [
      ...readdirSync(directory),
      ...readdirSync(join(directory, "generations")).map((name) => `generations/${name}`),
    ],
  };
}
