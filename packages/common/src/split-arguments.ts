/** Splits at blanks; quotes at the start of a word, or after `=`, keep several words together. Nothing is expanded. */
export function splitArguments(text: string): readonly string[] {
  return [...text.matchAll(WORD)].map(([word, lead = "", double, single]) => {
    const quoted = double ?? single;
    return quoted === undefined ? word : lead + quoted;
  });
}

// An unclosed quote extends to the end, because the user has not finished typing.
const WORD = /([^\s"'=]*=)?(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$))|\S+/g;
