const ASKS = /^(?:please\s+|bitte\s+)?(?:forget|vergiss|vergesse)\b[,:]?\s*(?:bitte\b\s*)?/iu;
/** Words around the subject of a request: "what I said about", "the rule that", "die Sache mit". */
const AROUND =
  /^(?:(?:what|everything|all|anything|whatever|alles|das|was)\s+)?(?:(?:i|we|you|ich|wir|du)\s+(?:have\s+|ever\s+|once\s+|dir\s+)?(?:said|told you|know|wrote|remember|decided|saved|gesagt|weißt)\s+)?(?:(?:the|that|this|my|our|die|der|das|den|diese[rsn]?|meine?|unsere?)\s+)?(?:(?:rules?|facts?|topics?|notes?|things?|memor(?:y|ies)|statements?|preferences?|decisions?|part|stuff|sache|regel|notiz|tatsache|entscheidung)\s+)?(?:(?:about|that|of|on|regarding|with|for|über|mit|zu|zum|zur|von|dass)\s+)?(?:(?:the|our|my|a|an|dem|der|den|die|das|unsere[mnrs]?|meine[mnrs]?)\s+)?/iu;
const AFTER =
  /\s+(?:rules?|facts?|topics?|notes?|things?|memor(?:y|ies)|statements?|stuff|(?:ich )?gesagt (?:habe|hast)|i told you|we had|please|bitte)[.!?]*$/iu;

/** What a request in a sentence is about: "what I said about the billing port" is about "billing port". */
export function forgetSubject(request: string): string {
  const text = request
    .trim()
    .replace(ASKS, "")
    .replace(/[.!?]+$/u, "")
    .trim();
  const subject = text.replace(AROUND, "").replace(AFTER, "").trim();
  return (subject === "" ? text : subject).replace(/[,;:]+$/u, "");
}
