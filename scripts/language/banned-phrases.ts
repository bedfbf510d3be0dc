/** Wording that does not belong in this repository, and what to write instead. */
export interface BannedPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** The one list. Identifiers count as well: patterns with capital letters look inside camelCase names. */
export const BANNED_PHRASES: readonly BannedPhrase[] = [
  ban(/\banew\b/i, "again"),
  ban(/\bfor ever\b/i, "forever"),
  ban(/\b(?:can|could)(?:not)? be had\b/i, "is (not) available"),
  ban(/\b[Mm]end(?:s|ed|ing|able)?\b|\bunmended\b/, "repair, fix"),
  ban(/\bmend(?:ed)?[A-Z]\w*|[a-z]Mend(?:s|ed|able)?(?:[A-Z]|\b)/, "repair, fix"),
  ban(/\bwish(?:es|ed|ing)?\b/i, "request, query"),
  ban(/\bwish[A-Z]\w*|[a-z]Wish(?:es)?\b|\bWish[A-Z]|Wishes\b/, "request, query"),
  ban(/\bheld against\b|\bholds? (?:it |them )?against\b/i, "checked against"),
  ban(/\bgo(?:es|ing|ne)? on with\b/i, "resume, continue"),
  ban(/\bpass(?:es|ed|ing)? over\b/i, "ignore, skip"),
  ban(/\b(?:somebody|whoever)\b/i, "the user, another process, someone"),
  ban(/\bnobody\b/i, "no one, no process"),
  ban(
    /\b(?:[Tt]he|[Aa]|one) person\b|\bperson's\b|\bpersons\b|\bperson[A-Z]\w*|\bPerson[A-Z]/,
    "the user",
  ),
  ban(
    /\bstands? (?:in|for|at|on|beside|behind|above|below|there|before|after)\b/i,
    "is in, represents",
  ),
  ban(/\bstood\b/i, "was"),
  ban(/\bbeside\b/i, "next to, alongside, in addition to"),
  ban(/(?<!\bthere )(?<!\bThere )\bis no (?!longer\b|more\b|such\b)[a-z]/, "is not a …"),
  ban(
    /\b(?:are|were|was) no (?!longer\b|more\b|such\b)[a-z]+s? (?:of|text|file|topic)\b/i,
    "are not …",
  ),
  ban(/\b(?:is|are) said\b|\b(?:that|this|it|which) is told\b/i, "is reported"),
  ban(/\bwithout a word\b/i, "silently"),
  ban(/\bfor want of\b/i, "for lack of, without"),
  ban(/\bdo(?:es)? not go together\b/i, "cannot be used together"),
  ban(/\ba whole number from\b/i, "an integer, a positive integer"),
  ban(/\bgives? back\b|\bgiven back\b/i, "returns"),
  ban(/\bharmless(?:[A-Z]\w*)?\b|\bHarmless/, "escaped, sanitized"),
  ban(/\boddit(?:y|ies)\b/i, "warning"),
  ban(/\bglimpse/i, "peek"),
  ban(/\bslips?\b/i, "typo, usage error"),
  ban(/\b[Aa]sides?\b|[a-z]Asides?\b/, "backup"),
  ban(/\b(?:left-?overs?)\b/i, "stale files"),
  ban(/\bwithheld\b/i, "denied"),
  ban(/\b[Uu]nasked(?:\b|[A-Z])/, "unattended"),
  ban(/\b(?:MOST|LEAST|LONGEST|FEWEST|SHORTEST|LARGEST|SMALLEST)_[A-Z]/, "MAX_, MIN_"),
  ban(
    /\b(?:is|are)There\b|[a-z]IfThere\b|\b(?:isSound|isTorn|isMeant|isWanted|isOurs|isOperators)\b/,
    "exists, isValid, isTruncated, matches, isGenerated, isUserOwned",
  ),
  ban(/\b\w+InWords\b|\bwordsOf\b|[a-z]Words\(/, "formatX"),
  ban(/\bsentence(?:Of|For|About)\w*\b|[a-z]Sentence\b/, "message, formatX"),
  ban(/\bplaceOf\b|\bfindPlace\b|[a-z]Places?\b/, "path, location"),
  ban(
    /\b(?:lockedBench|workbench|unswap|swapFile|keepBeside|settleAsides|finishOthers)\b/,
    "see docs/glossary.md",
  ),
  ban(
    /\b(?:personSpoke|forgetfulLog|foundForPrograms|TimeTold|Answerer|Asked)\b/,
    "see docs/glossary.md",
  ),
  ban(/\bmust else\b|\bwould else\b|\bcould else\b|\bmight else\b/i, "would otherwise"),
  ban(
    /\b(?:it|test)(?:\.\w+(?:\([^)]*\))?)?\(\s*["'`](?:is|are|was|were|of|and|or|with|without|from|in|on|at|by|to|but|that|which|whose|than|as|has|have|does|do)\b/,
    "a title that reads as a sentence on its own",
  ),
];

function ban(pattern: RegExp, instead: string): BannedPhrase {
  return { pattern, instead };
}
