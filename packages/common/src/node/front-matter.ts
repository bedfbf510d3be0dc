import matter from "gray-matter";
import {
  type FrontMatter,
  parseFrontMatterWith,
  parseYamlMap,
} from "../front-matter/front-matter.ts";

/**
 * Reads the header of a file with gray-matter, as other tools do. A word after `---` would choose another engine of
 * gray-matter, one of which runs code: such a header is rejected before, and every engine except ours throws as well.
 */
export function parseFrontMatter(text: string): FrontMatter {
  return parseFrontMatterWith(
    (header) => matter(`---${header}\n---\n`, { language: "yaml", engines: ENGINES }).data,
    text,
  );
}

const ENGINES = {
  yaml: { parse: parseYamlMap },
  json: { parse: reject },
  javascript: { parse: reject },
};

function reject(): never {
  throw new TypeError("a header is read as YAML only");
}
