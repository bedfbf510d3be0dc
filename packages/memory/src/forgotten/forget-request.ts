const REQUEST =
  /^(?:(?:please|ok(?:ay)?|no|now|and|also|actually|can you|could you|caliban)\b[\s,.!:]*)*(?:\/(?:memory\s+)?forget\b|forget\b(?!\s+it\b\s*$)|unlearn\b|(?:remove|delete|drop|erase)\b.*\b(?:memory|topic|memories|remembered)\b|vergiss\b|oublie\b|olvida\b)/iu;
const WITHDRAWN =
  /\b(?:forget|forgot|forgotten|unlearn|no longer|outdated|obsolete|not true|wrong|vergiss|oublie|olvida)\b/iu;
const DONT_FORGET = /\b(?:don'?t|do not|never) forget\b/giu;
const QUESTION =
  /\?\s*["')\]]*$|^(?:can|could|would|will|shall|why|how|what|who|which|when|where|do|does|did|is|are|should)\s+(?:you|we|i|it|the|this|that|they)\b/iu;

/** Whether a message asks to forget something. */
export function isForgetRequest(message: string): boolean {
  return REQUEST.test(message.trim().slice(0, 500));
}

/** Whether a sentence of the user says something, rather than asking about it or taking it back. */
export function isAssertion(sentence: string): boolean {
  const text = sentence.replaceAll(/[’‘]/g, "'").trim();
  if (QUESTION.test(text)) return false;
  return !isForgetRequest(text) && !WITHDRAWN.test(text.replaceAll(DONT_FORGET, ""));
}
