const WHAT_IT_IS =
  "I am offline/rehearsal: a small program inside caliban, and no language model. I keep notes and look them up with caliban's real tools, and can do nothing else.";

const WHAT_TO_SAY =
  'Try "remember that we deploy with pnpm ship", "how do we deploy?", "what do you know about deploys?", "list" or "forget …".';

const HOW_TO_CONNECT =
  'To connect a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name one that runs on your machine in settings.toml: `[models] default = "ollama/…"`. `caliban doctor` checks it, and docs/providers.md tells more.';

/** What it is, what it can do, and how to get something better. */
export const INTRODUCTION: string = `${WHAT_IT_IS} ${WHAT_TO_SAY} ${HOW_TO_CONNECT}`;

export const NOTHING_FOUND: string = `I found nothing in memory that answers this, and without a language model I know nothing else. ${HOW_TO_CONNECT}`;

/** For a wish that needs memory tools which this run does not have. */
export const NO_MEMORY: string = `I cannot do that in this run: the memory tools it needs are not there. They are left out by --no-memory, --bare, \`[memory] auto = false\`, and by rules or \`[memory] write = "off"\` that deny them. ${HOW_TO_CONNECT}`;

/** How every question about what to forget begins: the next answer is understood by it. */
export const WHICH_ONE = "Which of these should I forget? Say its number or its name, or no.";

const MOST_CHARACTERS = 600;

/** Passes on what a tool said when it did not do what was wanted. */
export function refusedBy(what: string, toolText: string): string {
  const characters = Array.from(toolText.trim());
  const shown = characters.slice(0, MOST_CHARACTERS).join("");
  return `${what} The tool says: ${shown}${characters.length > MOST_CHARACTERS ? "…" : ""}`;
}

/** Whether a text is an answer of the offline model, which tells nothing that is not in the notes. */
export function isOwnWording(text: string): boolean {
  return OWN_WORDING.test(text);
}

const OWN_WORDING =
  /^(?:I am offline\/rehearsal|I found nothing in memory|I cannot do that in this run|I will remember: |I knew that already: |I could not |I did not forget |Forgotten: |Which of these should I forget|Memory holds:|There is nothing |When this session began, memory |What should I |All right, I keep )|\((?:from memory: |said by (?:you|the agent) in session )/;
