import { command, type CommandMessage, withCommands } from "@caliban/common";

const IDENTITY =
  "I am offline/rehearsal, caliban's built-in offline model. I am a small program, not a language model: I save topics to memory, look them up and delete them with caliban's real tools, and nothing else.";

const EXAMPLES =
  'Try "remember that we deploy with pnpm ship", "how do we deploy?", "what do you know about deploys?", "list" or "forget …".';

const HOW_TO_CONNECT =
  'To connect a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or choose a local one in settings.toml: `[models] default = "ollama/…"`. To check the setup, run `caliban doctor`; see also docs/providers.md.';

/** What it is, what it can do, and how to connect a real model. */
export const INTRODUCTION: string = `${IDENTITY} ${EXAMPLES} ${HOW_TO_CONNECT}`;

const NOTHING = "I found nothing in memory that answers this";
export const NOTHING_FOUND: string = `${NOTHING}, and without a language model I know nothing else. ${HOW_TO_CONNECT}`;

const UNAVAILABLE = "I cannot do that in this run";
/** For a request that needs memory tools which this run does not have. */
export const NO_MEMORY: string = `${UNAVAILABLE}: the memory tools are not available. They are turned off by --no-memory, --bare, \`[memory] auto = false\`, \`[memory] write = "off"\`, or rules that deny them. ${HOW_TO_CONNECT}`;

export const REMEMBERED = "I will remember: ";
export const ALREADY_KNOWN = "I knew that already: ";
export const NOT_SAVED = "I could not save that.";
export const NOT_SEARCHED = "I could not look that up.";
export const FORGOTTEN = "Forgotten: ";
export const NOT_FORGOTTEN = "I did not forget ";
export const WHICH_ONE =
  "Which of these should I forget? Answer with its number or its name, or no.";
export const NOTHING_DELETED = "OK, I deleted nothing.";
export const NO_SUCH_TOPIC = "There is nothing about that in memory.";
export const LISTED = "Memory contains:";
export const LISTED_AT_START = "When this session started, memory";
export const EMPTY =
  'There is nothing in memory yet. Say "remember that …", and later sessions will know it, too.';
export const WHAT_TO_REMEMBER =
  'What should I remember? For example: "remember that we deploy with pnpm ship".';
export const WHAT_TO_FORGET = "What should I forget? Say what it is about.";
const ONE_ONLY = "I forget one topic at a time.";
export const ONE_AT_A_TIME: CommandMessage = withCommands`${ONE_ONLY} Which one? To see them all, run \`${command("memory list")}\`.`;
export const STUCK = "I tried several times without success. Please rephrase that.";

/** Precede the source of every quoted fact. */
export const FROM_MEMORY = "(from memory: ";
export const SAID_BY_USER = "(said by you in session ";
export const SAID_BY_AGENT = "(said by the agent in session ";

/** How the answers above start, and how earlier versions started theirs, which are in stored sessions. */
const OPENINGS: readonly string[] = [
  "I am offline/rehearsal",
  NOTHING,
  UNAVAILABLE,
  REMEMBERED,
  ALREADY_KNOWN,
  "I could not ",
  FORGOTTEN,
  NOT_FORGOTTEN,
  WHICH_ONE.slice(0, WHICH_ONE.indexOf("?")),
  NOTHING_DELETED,
  "There is nothing ",
  LISTED,
  LISTED_AT_START,
  "What should I ",
  ONE_ONLY,
  STUCK,
  "Memory holds:",
  "When this session began, memory ",
  "All right, I keep ",
];

/** Whether a text is an answer of the offline model, which says nothing that is not in memory anyway. */
export function isOwnAnswer(text: string): boolean {
  return (
    OPENINGS.some((opening) => text.startsWith(opening)) ||
    [FROM_MEMORY, SAID_BY_USER, SAID_BY_AGENT].some((source) => text.includes(source))
  );
}

const MAX_TOOL_CHARACTERS = 600;

/** Passes on the message of a tool that failed. */
export function refusedBy(outcome: string, toolText: string): string {
  const characters = Array.from(toolText.trim());
  const shown = characters.slice(0, MAX_TOOL_CHARACTERS).join("");
  const end = characters.length > MAX_TOOL_CHARACTERS ? "…" : "";
  return `${outcome} The tool reported: ${shown}${end}`;
}
