const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";

/** Words and phrases that ask for how things were. */
const PAST_WORDS =
  /\b(?:previous(?:ly)?|original(?:ly)?|former(?:ly)?|initial(?:ly)?|earlier|ago|yesterday|back then|at first|in the past|used to|until (?:now|then|recently)|(?:last|past|previous) (?:week|month|year|spring|summer|autumn|fall|winter|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|first time|history of|when (?:did|was|were|had))\b/;

/** A day, a month or a year: `2026-10-01`, `10/1/2026`, `October 1st`, `in May`, `2025`. */
const DATE = new RegExp(
  String.raw`\b(?:(?:19|20)\d\d(?:-\d\d?(?:-\d\d?)?)?|\d\d?[/.]\d\d?[/.]\d{2,4}|(?:${MONTH})\.? \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})|(?:in|since|during|of|until|by|last) (?:${MONTH}))\b`,
);

/** "Before" alone may name a condition ("run the tests before a release"); at the end it means an earlier time. */
const BEFORE = /\bbefore\W*$|\bbefore (?:that|then|this|we|it)\b/;

/** A question in the past tense is about an event, which does not change ("where did we meet?"), */
const PAST_TENSE = /\b(?:did|didn't|was|wasn't|were|weren't|had)\b/;
/** but not one about a decision, which holds until the next one ("what did we decide about retries?"). */
const DECISION =
  /\b(?:deci(?:de|ded|sion)|agree(?:d|ment)?|cho(?:ose|se|sen|ice)|settled?|pick(?:ed)?|conclu(?:de|ded|sion)|rules?|convention|policy|want(?:ed)?|say|said|told|tell)\b/;

/** Tests whether a query asks about an earlier time or an event, so that the newest answer need not be the right one. */
export function asksAboutPast(query: string): boolean {
  const text = query.toLowerCase();
  if (PAST_WORDS.test(text) || DATE.test(text) || BEFORE.test(text)) return true;
  return PAST_TENSE.test(text) && !DECISION.test(text);
}
