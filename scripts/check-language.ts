// The vocabulary check: `node scripts/check-language.ts [path …]` lists wording to replace, and exits with 1 if there is any.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findBannedPhrases } from "./language/find-banned-phrases.ts";
import { root } from "./workspace.mjs";

const CHECKED = /\.(?:ts|mjs|md|toml)$/;
/** Texts that show what not to write, data of older versions, conversations of users, and generated text. */
const EXEMPT =
  /^(?:bench\/applied\/cases\/|test\/corpus\/|test\/must-fail\/|scripts\/language\/|(?:.*\/)?CHANGELOG\.md$)/;

const given = process.argv.slice(2);
const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", ...given],
  {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  },
)
  .split("\n")
  .filter((file) => CHECKED.test(file) && !EXEMPT.test(file));

let count = 0;
for (const file of files) {
  for (const { line, phrase, instead } of findBannedPhrases(file, readIfPresent(file))) {
    count += 1;
    console.log(`${file}:${line}: "${phrase}"; write: ${instead}`);
  }
}
if (count > 0) {
  console.log(`${count} phrases to replace; the list is scripts/language/banned-phrases.ts`);
  process.exitCode = 1;
}

/** Empty for a file that git still lists and the working tree no longer has. */
function readIfPresent(file: string): string {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return "";
  }
}
