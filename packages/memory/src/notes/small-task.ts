/** A question about what is there. */
const QUESTION =
  /^(?:(?:please|can you|could you|hey|hi|ok(?:ay)?|and|so|just|bitte|kannst du)[\s,:]+){0,3}(?:explain|describe|summari[sz]e|sum up|tell me|show me|walk me|list (?:all|the|every|which|what)|what|which|who|whose|where|why|when (?:did|was|were|is)|how (?:does|do|did|is|are|was|many|much|big|large|long|old|come|often)|erklär\w*|was|wie|warum|welche\w*|wer|wo|(?:is|are|was|does|do|did|has|have)\s[^.!?]{1,200}\?)(?![\p{L}\p{N}])/iu;
const EXPLANATION = /\b(?:explain (?:to me |me )?(?:what|how|why)|what does|why\?*\s*$)/iu;
/** Words, names and layout of code. */
const WORDING =
  /\b(?:(?:an?|the|this|some|fix|correct) typos?|typos? (?:in|on|at)|misspell?(?:ed|t)|spelling|spelled|rename[ds]?|renaming|reformat\w*|indentation|whitespace|docstrings?|doc(?:umentation)? comments?|add (?:an?|some) comments?|unused|dead code|complains?|type errors?|tippfehler|rechtschreib\p{L}*|umbenennen)\b/iu;
/** How something looks. */
const LOOK =
  /\b(?:cut off|clipped|overlap\w*|(?:mis|left-|right-)?aligned|misalign\w*|blurry|flicker\w*|jumps|upside down|contrast|unreadable|squeezed|stretched|css|tooltips?|scroll\w*|dark mode|(?:fav)?icons?)\b/iu;

const PATTERNS = [QUESTION, EXPLANATION, WORDING, LOOK];
const MAX_CHARACTERS = 500;

/**
 * Whether a message asks for an explanation, or for something so small that hardly any decision concerns it: a spelling
 * mistake, a name, how something looks.
 */
export function isSmallTask(message: string): boolean {
  const start = message.trimStart().slice(0, MAX_CHARACTERS);
  return PATTERNS.some((pattern) => pattern.test(start));
}
