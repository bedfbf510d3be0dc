import { checkText } from "../check-arguments.ts";
import { slugKey } from "./slug.ts";

const LINK = /\[\[([^[\]\n]{1,200})\]\]/g;

/** The topics that a body links to, spelled as in the links. */
export function linkedSlugs(body: string): readonly string[] {
  checkText("linkedSlugs", body);
  return [...new Set([...body.matchAll(LINK)].map(([, target = ""]) => slugInLink(target)))];
}

/** Points every link to a topic at its new name. Text after `|` or `#` is kept. */
export function renameLinks(text: string, from: string, to: string): string {
  return text.replaceAll(LINK, (link, target: string) => {
    const slug = slugInLink(target);
    return slugKey(slug) === slugKey(from) ? link.replace(slug, () => to) : link;
  });
}

function slugInLink(target: string): string {
  return (/^[^|#]*/.exec(target)?.[0] ?? "").trim();
}
