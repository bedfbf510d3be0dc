/** One place in a pattern: a character, any character, or any number of them. */
type Token = string | typeof ANY | typeof STAR;

const ANY = Symbol("any character");
const STAR = Symbol("any characters");

const GLOB_TOKEN = /\[[!^]?\]?[^\]]*\]|[\s\S]/g;

// Far more than the name of a file has.
const MOST_CHARACTERS = 1024;

/**
 * Whether a shell may find a name that a pattern of ours covers when it expands a word such as `r?`. A class counts as
 * any character. A word of wildcards alone stands for all files rather than for a command, and one without any is no case.
 */
export function mayExpandTo(word: string, pattern: string): boolean {
  if (!/[?*[]/.test(word) || !/[^?*]/.test(word)) return false;
  // Too long to be looked at; for finding what is forbidden, one too many is the safe side.
  if (word.length > MOST_CHARACTERS) return true;
  const tokens = (word.replace(/\*+/g, "*").match(GLOB_TOKEN) ?? []).map(globToken);
  const wanted = Array.from(pattern, (character) => (character === "*" ? STAR : character));
  return haveCommonText(tokens, wanted);
}

function globToken(text: string): Token {
  if (text === "*") return STAR;
  return text === "?" || text.length > 2 ? ANY : text;
}

/** Whether there is a text that two patterns cover; row by row, so that it takes their lengths multiplied and no more. */
function haveCommonText(left: readonly Token[], right: readonly Token[]): boolean {
  // At each place: whether the tokens of `left` so far and so many of `right` have a text in common.
  let row = startRow(right);
  for (const token of left) row = nextRow(row, token, right);
  return row.at(-1) ?? false;
}

function startRow(right: readonly Token[]): readonly boolean[] {
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
    const diagonal = above[index] === true && fit(token, other);
    const isStar = token === STAR || other === STAR;
    row.push(diagonal || (isStar && (above[index + 1] === true || row[index] === true)));
  }
  return row;
}

function fit(one: Token, other: Token): boolean {
  return typeof one !== "string" || typeof other !== "string" || one === other;
}
