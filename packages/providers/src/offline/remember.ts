import { command, type CommandMessage, withCommands } from "@caliban/common";
import { NO_MEMORY, refusedBy } from "./messages.ts";
import { type TopicScope, USER_SCOPE } from "./search.ts";
import { call, type Move, say, type Step, type Turn } from "./turn.ts";
import { significantTerms } from "./words.ts";

const WHAT_TO_REMEMBER =
  'What should I remember? For example: "remember that we deploy with pnpm ship".';
const NOT_SAVED = "I could not save that.";

/** Another session may be faster once or twice; after that, something else is wrong. */
const MAX_WRITES = 3;

/** What saving a fact depends on. */
export type RememberTurn = Pick<Turn, "tools" | "hasUserScope"> & {
  readonly steps: readonly Pick<Step, "name" | "text" | "isError" | "data">[];
};

type RememberStep = RememberTurn["steps"][number];

/** Saves a fact. If the topic exists, reads it and adds the fact to it. */
export function remember(fact: string, turn: RememberTurn): Move {
  const { steps, tools } = turn;
  if (!tools.has("WriteMemoryTopic")) return say(NO_MEMORY);
  if (fact === "") return say(WHAT_TO_REMEMBER);
  const draft = { ...draftTopic(fact), ...scopeOf(fact, turn) };
  const last = steps.at(-1);
  if (last === undefined) return call("WriteMemoryTopic", { ...draft });
  if (last.name === "ReadMemoryTopic") return addTo(last, draft);
  if (!last.isError) return say(saved(last, draft));
  const writeCount = steps.filter(({ name }) => name === "WriteMemoryTopic").length;
  const canMerge = last.data["code"] === "CONFLICT" && tools.has("ReadMemoryTopic");
  if (!canMerge || writeCount >= MAX_WRITES) return notSaved(last);
  return call("ReadMemoryTopic", { name: draft.name, ...scopeIn(draft) });
}

/** Says that a fact is about the user, wherever they work. */
const EVERYWHERE =
  /\b(?:in|for|across|on) (?:every|each|any|all)(?: of)?(?: my| the| our)?(?: other)? (?:project|repo|repositor|codebase|workspace)\w*|\bno matter (?:which|what) (?:project|repo)|\bacross (?:my |all )?(?:projects|repos|repositories)\b|\balways,? (?:and )?everywhere\b|\beverywhere i work\b|\beverywhere[.!]*$|^everywhere\b|\bglobally\b/i;

function scopeOf(fact: string, { hasUserScope }: RememberTurn): TopicScope {
  return hasUserScope && EVERYWHERE.test(fact) ? USER_SCOPE : {};
}

function scopeIn({ scope }: TopicScope): TopicScope {
  return scope === undefined ? {} : { scope };
}

function notSaved({ text }: RememberStep): Move {
  return { kind: "say", text: refusedBy(NOT_SAVED, text), isRefused: true };
}

function saved({ data }: RememberStep, { name, body, scope }: TopicDraft): CommandMessage {
  const slug = typeof data["slug"] === "string" ? data["slug"] : name;
  const [where, flag] = scope === "user" ? [" for every project", " --user"] : ["", ""];
  if (typeof data["proposal"] === "string") {
    return withCommands`I will remember this once you accept it: ${body}\n\n(proposed as ${slug}${where}; review it with \`${command(`memory inbox${flag}`)}\`)`;
  }
  return withCommands`I will remember: ${body}\n\n(saved as ${slug}${where}; show it with \`${command(`memory show ${slug}${flag}`)}\`, undo with \`${command(`memory undo${flag}`)}\`)`;
}

function addTo(step: RememberStep, draft: TopicDraft): Move {
  const { hash, description, body } = step.data;
  if (step.isError || typeof body !== "string") return notSaved(step);
  const previous = body.trim();
  if (contains(previous, draft.body)) {
    return say(`I knew that already: it is in the topic ${draft.name}.`);
  }
  return call("WriteMemoryTopic", {
    ...draft,
    description: mergedDescription(typeof description === "string" ? description : "", draft),
    body: `${previous}\n\n${draft.body}`,
    if_match: hash,
  });
}

function contains(body: string, fact: string): boolean {
  return `\n${normalized(body)}\n`.includes(`\n${normalized(fact)}\n`);
}

/** Ignores what does not make a different fact: list markers, case, and the final period. */
function normalized(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/^[-*+\s]+/, "")
        .replace(/(?<![\s.!])[\s.!]+$/, "")
        .toLowerCase(),
    )
    .filter((line) => line !== "")
    .join("\n");
}

/** Describes both facts where there is room, otherwise the new one. */
function mergedDescription(previous: string, { description }: TopicDraft): string {
  if (normalized(previous).includes(normalized(description))) return previous;
  const both = `${previous.replace(/[\s.]+$/, "")}; ${description}`;
  return previous === "" || shortened(both) !== both ? description : both;
}

/** The input of WriteMemoryTopic for a fact. */
interface TopicDraft extends TopicScope {
  readonly name: string;
  readonly description: string;
  readonly type: "user" | "feedback" | "project" | "reference";
  readonly body: string;
}

/** Turns a fact into a topic. The same fact always gives the same topic. */
function draftTopic(fact: string): TopicDraft {
  const body = fact.toWellFormed().trim();
  return { name: slugFor(body), description: shortened(body), type: typeOf(body), body };
}

const REFERENCE =
  /https?:\/\/|\b(?:docs?|documentation|wiki|dashboard|runbook)\b.{0,80}\b(?:at|in|on)\b/i;
const FEEDBACK = /\b(?:always|never|don['’]?t|do not|stop|avoid|must not)\b/i;
const USER = /^(?:i|i['’](?:m|ve|d|ll)|my|me|call me)\b/i;

function typeOf(fact: string): TopicDraft["type"] {
  if (REFERENCE.test(fact)) return "reference";
  if (FEEDBACK.test(fact)) return "feedback";
  return USER.test(fact) ? "user" : "project";
}

/** The limit of the memory tools. */
export const MAX_DESCRIPTION_CHARACTERS = 120;

/** One line that fits into the index. */
function shortened(text: string): string {
  const characters = Array.from(text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim());
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return characters.join("");
  const cut = characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("");
  return `${cut.replace(/\s+\S*$/, "") || cut}…`;
}

const MAX_SLUG_WORDS = 4;
const MAX_SLUG_CHARACTERS = 48;
/** Names of tiers, of the index, and of devices on Windows, which no topic can have. */
const RESERVED = /^(?:global|project|memory|con|prn|aux|nul|com\d|lpt\d)$/;

/** The first significant words in Latin letters; a checksum where there are none. */
function slugFor(fact: string): string {
  const plain = fact.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const words = significantTerms(plain.replaceAll(/https?:\/\//gi, " ")).filter((word) =>
    /^[a-z0-9]+$/.test(word),
  );
  const isSignificant = words.some((word) => /[a-z]{2}/.test(word));
  const slug = (isSignificant ? words.slice(0, MAX_SLUG_WORDS) : []).reduce((name, word) => {
    const longer = name === "" ? word : `${name}-${word}`;
    return longer.length > MAX_SLUG_CHARACTERS ? name : longer;
  }, "");
  return slug === "" || RESERVED.test(slug) ? `note-${checksum(fact)}` : slug;
}

/** FNV-1a with 32 bits: enough to tell a handful of topics apart. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
