import type { Step } from "./prompt-facts.ts";
import { call, type Move, say } from "./move.ts";
import { readConflict, savedSlug } from "./tool-answers.ts";
import { draftTopic, shortened, type TopicDraft } from "./topic-draft.ts";
import { refusedBy } from "./wording.ts";

/** Another session may be faster once; who loses every time has something else wrong. */
const MOST_WRITES = 3;

/** Saves a fact; where a topic of that name is in the way, it is added to what stands there. */
export function rememberMove(fact: string, steps: readonly Step[]): Move {
  if (fact === "")
    return say('What should I remember? Say "remember that …" with the whole sentence.');
  const draft = draftTopic(fact);
  const writes = steps.filter(({ name }) => name === "WriteMemoryTopic");
  const last = writes.at(-1);
  if (last === undefined) return call("WriteMemoryTopic", { ...draft });
  if (!last.isError) return say(saved(last, draft));
  const there = readConflict(last.text);
  if (there === undefined || writes.length >= MOST_WRITES) {
    return say(refusedBy("I could not save that.", last.text));
  }
  if (holds(there.body, draft.body)) {
    return say(`I knew that already: it is in my note ${draft.name}.`);
  }
  return call("WriteMemoryTopic", {
    ...draft,
    description: bothIn(there.description, draft),
    body: `${there.body}\n\n${draft.body}`,
    if_match: there.hash,
  });
}

function saved({ text }: Step, { name, body }: TopicDraft): string {
  const slug = savedSlug(text) ?? name;
  return `I will remember: ${body}\n\n(saved as ${slug}; \`caliban memory show ${slug}\` shows it, \`caliban memory undo\` takes it back)`;
}

function holds(body: string, fact: string): boolean {
  return `\n${normal(body)}\n`.includes(`\n${normal(fact)}\n`);
}

/** Without what does not make it another fact: marks of lists, case, and the full stop. */
function normal(text: string): string {
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

/** What the index shows: both facts where there is room, else the newer one. */
function bothIn(old: string, { description }: TopicDraft): string {
  if (normal(old).includes(normal(description))) return old;
  const both = `${old.replace(/[\s.]+$/, "")}; ${description}`;
  return old === "" || shortened(both) !== both ? description : both;
}
