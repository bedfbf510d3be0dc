import { readFileSync } from "node:fs";

/** Lines without secrets, written by hand: prose, code, configuration, logs and diffs. */
export function ordinaryLines(): readonly string[] {
  return ["ordinary-lines.txt", "ordinary-languages.txt"].flatMap((name) =>
    readFileSync(new URL(name, import.meta.url), "utf8")
      .trimEnd()
      .split("\n"),
  );
}
