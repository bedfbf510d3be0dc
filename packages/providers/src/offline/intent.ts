/** What the user wants, as far as the offline model can tell. */
export type Intent =
  | { readonly kind: "remember"; readonly fact: string }
  | { readonly kind: "forget"; readonly about: string }
  | Question
  | { readonly kind: "list" }
  | { readonly kind: "other" };

/** A broad question ("what do you know about …") takes several topics, and weaker matches, than a specific one. */
export interface Question {
  readonly kind: "ask";
  readonly about: string;
  readonly isBroad: boolean;
}

const POLITE =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|now|also|and|caliban|there|thanks|from now on|let['’]?s|(?:can|could|would|will) you|i(?:['’]d| would) like you to|i want you to|make sure (?:you|to))[\s,:!]+)+/i;

/** A request that is phrased as a question. */
const ASKED_TO_REMEMBER = /\b(?:can|could|would|will) you(?: please)? (?:remember|note) that\s/i;

const REMEMBER =
  /^(?:(?:remember|memori[sz]e|keep in mind|bear in mind|don['’]?t forget|do not forget)(?:\s+(?:that|this|to))?(?=[\s:,]|$)|(?:take a note|make a note|note|note down|write down)(?:\s+(?:that|of)(?=\s)|\s*:))[\s:,]*(.*)$/is;

const FORGET =
  /^(?:forget|unlearn|stop remembering|delete (?:the )?(?:memory|note|topic)s?)(?=[\s:,]|$)[\s:,]*(?:(?:what (?:i|we) (?:said|told you)|everything|anything|all)\s+(?=about|of))?(?:about|of|that|the (?:memory|note|topic)(?: about| of)?)?(?=[\s:,]|$)[\s:,]*(.*)$/is;

const ABOUT =
  /^(?:what (?:do|did) (?:you|we) (?:know|remember|note|save|have)|what (?:have you|is|['’]s) (?:noted|saved|remembered|in (?:your )?memory)|tell me (?:what you (?:know|remember)|everything|all|something)|what do your notes say)\s+(?:about|of|on)\s+(.+)$/is;

const LIST =
  /^(?:list|show)(?:\s+(?:me|all|of|my|your|the|our|every))*(?:\s+(?:memory|memories|notes?|topics?|things|you (?:know|remember)))*$|^what (?:do you (?:know|remember|have in memory)|is in (?:your )?memory|have you (?:saved|remembered|noted))(?: so far)?$/i;

/** Questions about the offline model itself, which memory cannot answer. */
const ABOUT_ITSELF =
  /^(?:who|what) (?:are|r) you(?: exactly)?$|^(?:what|which)(?: language| ai)? (?:model|llm|ai)\b.*\byou\b|^are you (?:an? |the )?(?:ai|llm|bot|robot|human|real|model|language model|claude|gpt|chatgpt|gemini|person)|^what(?: is|['’]s) your name$|^(?:help|what can you do|what can i (?:do|say|ask))(?: for me| here)?$/i;

const QUESTION_WORD =
  /^(?:(?:tell|remind|show) me|search|find|look up|explain|how|what|which|who|whom|whose|when|where|why|do|does|did|is|are|am|was|were|can|could|should|would|will|has|have)\b/i;

/**
 * Reads the intent from the user's message alone. Piped input follows in further paragraphs: it belongs to a fact to
 * remember, and otherwise only a question at its very end is considered.
 */
export function readIntent(message: string): Intent {
  const isRequest = ASKED_TO_REMEMBER.test(message.trim().split("\n\n", 1)[0] ?? "");
  const typed = message.normalize("NFKC").trim().replace(POLITE, "");
  const text = isRequest ? withoutEnd(typed) : typed;
  const paragraphs = text.split(/\n[^\S\n]*\n\s*/);
  const [first = ""] = paragraphs;
  const intent = intentOf(isRequest ? withoutEnd(first) : first, text);
  const last = paragraphs.at(-1) ?? "";
  if (intent.kind !== "other" || !last.endsWith("?")) return intent;
  const final = intentOf(last, last);
  return final.kind === "ask" && !final.isBroad ? final : intent;
}

function intentOf(text: string, whole: string): Intent {
  const plain = withoutEnd(text);
  if (LIST.test(plain)) return { kind: "list" };
  if (ABOUT_ITSELF.test(plain)) return { kind: "other" };
  const about = ABOUT.exec(plain)?.[1];
  if (about !== undefined) return { kind: "ask", about, isBroad: true };
  return changeOf(text, whole) ?? questionOf(text, plain);
}

function withoutEnd(text: string): string {
  return text.replace(/(?<![\s.!?])[\s.!?]+$/, "");
}

/** `remember how we deploy?` is a question; without the question mark, it is a fact to remember. */
function changeOf(text: string, whole: string): Intent | undefined {
  if (!text.endsWith("?")) {
    const fact = REMEMBER.exec(whole)?.[1];
    if (fact !== undefined) return { kind: "remember", fact: fact.trim() };
  }
  const about = FORGET.exec(withoutEnd(text))?.[1];
  return about === undefined ? undefined : { kind: "forget", about: about.trim() };
}

function questionOf(text: string, plain: string): Intent {
  const isQuestion = text.includes("?") || QUESTION_WORD.test(text);
  if (!isQuestion || plain === "") return { kind: "other" };
  return { kind: "ask", about: plain, isBroad: false };
}
