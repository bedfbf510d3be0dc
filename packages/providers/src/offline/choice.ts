import { WHICH_ONE } from "./wording.ts";

/** What the person answered to a question of ours. */
export type Choice =
  | { readonly kind: "topic"; readonly slug: string }
  | { readonly kind: "none" }
  | { readonly kind: "unclear" };

const ORDINALS = ["first", "second", "third", "fourth", "fifth"] as const;
const NO = /^(?:no|nope|none|nothing|neither|cancel|never ?mind|stop|keep)\b/;
const YES = /^(?:y|yes|yep|yeah|ok|okay|sure|right|do it|please)\b/;
const SEVERAL = /^(?:both|all|every|each)\b/;

/** The topic that was chosen of those in our last answer; `undefined` when that was no such question, or this no answer to it. */
export function readChoice(said: string, before: string): Choice | undefined {
  if (!before.startsWith(`${WHICH_ONE}\n\n`)) return undefined;
  const slugs = [...before.matchAll(/^\d\. (.+?): /gm)].flatMap(([, slug]) => slug ?? []);
  const text = said.normalize("NFKC").trim().toLowerCase();
  if (NO.test(text)) return { kind: "none" };
  const named = slugs.find((slug) => text.replace(/[.!?]+$/, "") === slug.toLowerCase());
  const slug = named ?? slugs[placeIn(text, slugs.length)];
  if (slug !== undefined) return { kind: "topic", slug };
  if (YES.test(text)) {
    const [only] = slugs;
    return slugs.length === 1 && only !== undefined
      ? { kind: "topic", slug: only }
      : { kind: "unclear" };
  }
  return SEVERAL.test(text) ? { kind: "unclear" } : undefined;
}

/** Where in the list a number or an ordinal points; -1 for any other text. */
function placeIn(text: string, count: number): number {
  const [, number] = /^(?:the |number |no\. ?|#)*(\d)(?:[.)!]|st|nd|rd|th| one)*$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) - 1;
  const [, ordinal] =
    /^(?:the )?(first|second|third|fourth|fifth|last)(?: one)?[.!]*$/.exec(text) ?? [];
  return ordinal === "last" ? count - 1 : ORDINALS.findIndex((word) => word === ordinal);
}
