/** One element of a pattern: a character, any character, or any number of characters. */
type Token = string | typeof ANY | typeof STAR;

const ANY = Symbol("any character");
const STAR = Symbol("any characters");

const GLOB_TOKEN = /\[[!^]?\]?[^\]]*\]|[\s\S]/g;

// Far more than a file name has.
const MAX_CHARACTERS = 1024;

/**
 * Whether a shell may expand a word such as `r?` to a name that the pattern of a rule matches. A character class counts as
 * any character. A word of nothing but wildcards means all files rather than a command, and never matches here; neither
 * does a word without wildcards.
 */
export function mayExpandTo(word: string, pattern: string): boolean {
  if (!/[?*[]/.test(word) || !/[^?*]/.test(word)) return false;
  // Too long to check. When looking for forbidden commands, a false match is the safe side.
  if (word.length > MAX_CHARACTERS) return true;
  const tokens = (word.replace(/\*+/g, "*").match(GLOB_TOKEN) ?? []).map(globToken);
  const ruleTokens = Array.from(pattern, (character) => (character === "*" ? STAR : character));
  return canMatchSameText(tokens, ruleTokens);
}

function globToken(text: string): Token {
  if (text === "*") return STAR;
  return text === "?" || text.length > 2 ? ANY : text;
}

/** Whether some text matches both patterns. Works row by row, so the cost is the product of their lengths. */
function canMatchSameText(left: readonly Token[], right: readonly Token[]): boolean {
  // Entry n: whether the tokens of `left` so far and the first n tokens of `right` can match the same text.
  let row = firstRow(right);
  for (const token of left) row = nextRow(row, token, right);
  return row.at(-1) ?? false;
}

function firstRow(right: readonly Token[]): readonly boolean[] {
  const row = [true];
  for (const [index, token] of right.entries()) row.push((row[index] ?? false) && token === STAR);
  return row;
}

function nextRow(
  above: readonly boolean[],
  token: Token,
  right: readonly Token[],
): readonly boolean[] {
  const row = [token === STAR && above[0] === true];
  for (const [index, other] of right.entries()) {
    const diagonal = above[index] === true && areCompatible(token, other);
    const isStar = token === STAR || other === STAR;
    row.push(diagonal || (isStar && (above[index + 1] === true || row[index] === true)));
  }
  return row;
}

function areCompatible(one: Token, other: Token): boolean {
  return typeof one !== "string" || typeof other !== "string" || one === other;
}
