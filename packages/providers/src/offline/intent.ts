/** What the person wants, as far as the offline model can tell. */
export type Intent =
  | { readonly kind: "remember"; readonly fact: string }
  | { readonly kind: "forget"; readonly about: string }
  | { readonly kind: "about"; readonly about: string }
  | { readonly kind: "question"; readonly text: string }
  | { readonly kind: "list" }
  | { readonly kind: "identity" }
  | { readonly kind: "other" };

const POLITE =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|now|also|and|caliban|there|thanks|from now on|let['’]?s|(?:can|could|would|will) you|i(?:['’]d| would) like you to|i want you to|make sure (?:you|to))[\s,:!]+)+/i;

// A wish that looks like a question.
const ASKED_TO_REMEMBER = /\b(?:can|could|would|will) you(?: please)? (?:remember|note) that\s/i;

const REMEMBER =
  /^(?:(?:remember|memori[sz]e|keep in mind|bear in mind|don['’]?t forget|do not forget)(?:\s+(?:that|this|to))?(?=[\s:,]|$)|(?:take a note|make a note|note|note down|write down)(?:\s+(?:that|of)(?=\s)|\s*:))[\s:,]*(.*)$/is;

const FORGET =
  /^(?:forget|unlearn|stop remembering|delete (?:the )?(?:memory|note|topic)s?)(?=[\s:,]|$)[\s:,]*(?:(?:what (?:i|we) (?:said|told you)|everything|anything|all)\s+(?=about|of))?(?:about|of|that|the (?:memory|note|topic)(?: about| of)?)?(?=[\s:,]|$)[\s:,]*(.*)$/is;

const ABOUT =
  /^(?:what (?:do|did) (?:you|we) (?:know|remember|note|save|have)|what (?:have you|is|['’]s) (?:noted|saved|remembered|in (?:your )?memory)|tell me (?:what you (?:know|remember)|everything|all|something)|what do your notes say)\s+(?:about|of|on)\s+(.+)$/is;

const LIST =
  /^(?:list|show)(?:\s+(?:me|all|of|my|your|the|our|every))*(?:\s+(?:memory|memories|notes?|topics?|things|you (?:know|remember)))*$|^what (?:do you (?:know|remember|have in memory)|is in (?:your )?memory|have you (?:saved|remembered|noted))(?: so far)?$/i;

const IDENTITY =
  /^(?:who|what) (?:are|r) you(?: exactly)?$|^(?:what|which)(?: language| ai)? (?:model|llm|ai)\b.*\byou\b|^are you (?:an? |the )?(?:ai|llm|bot|robot|human|real|model|language model|claude|gpt|chatgpt|gemini|person)|^what(?: is|['’]s) your name$|^(?:help|what can you do|what can i (?:do|say|ask))(?: for me| here)?$/i;

const QUESTION_WORD =
  /^(?:(?:tell|remind|show) me|search|find|look up|explain|how|what|which|who|whom|whose|when|where|why|do|does|did|is|are|am|was|were|can|could|should|would|will|has|have)\b/i;

/**
 * Reads the person's words and nothing else. What is piped in stands in paragraphs behind them: only what is to be kept
 * goes on there, or a question at the very end.
 */
export function readIntent(said: string): Intent {
  const isWish = ASKED_TO_REMEMBER.test(said.trim().split("\n\n", 1)[0] ?? "");
  const asSaid = said.normalize("NFKC").trim().replace(POLITE, "");
  const text = isWish ? withoutEnd(asSaid) : asSaid;
  const paragraphs = text.split(/\n[^\S\n]*\n\s*/);
  const [first = ""] = paragraphs;
  const intent = intentOf(isWish ? withoutEnd(first) : first, text);
  const last = paragraphs.at(-1) ?? "";
  if (intent.kind !== "other" || !last.endsWith("?")) return intent;
  const asked = intentOf(last, last);
  return asked.kind === "question" ? asked : intent;
}

function intentOf(text: string, whole: string): Intent {
  const plain = withoutEnd(text);
  if (LIST.test(plain)) return { kind: "list" };
  if (IDENTITY.test(plain)) return { kind: "identity" };
  const about = ABOUT.exec(plain)?.[1];
  if (about !== undefined) return { kind: "about", about };
  return wishOf(text, whole) ?? questionOf(text, plain);
}

function withoutEnd(text: string): string {
  return text.replace(/(?<![\s.!?])[\s.!?]+$/, "");
}

/** `remember how we deploy?` asks; what stands behind `remember` without a question mark is to be kept. */
function wishOf(text: string, whole: string): Intent | undefined {
  if (!text.endsWith("?")) {
    const fact = REMEMBER.exec(whole)?.[1];
    if (fact !== undefined) return { kind: "remember", fact: fact.trim() };
  }
  const forgotten = FORGET.exec(withoutEnd(text))?.[1];
  return forgotten === undefined ? undefined : { kind: "forget", about: forgotten.trim() };
}

function questionOf(text: string, plain: string): Intent {
  const isQuestion = text.includes("?") || QUESTION_WORD.test(text);
  return isQuestion && plain !== "" ? { kind: "question", text: plain } : { kind: "other" };
}
