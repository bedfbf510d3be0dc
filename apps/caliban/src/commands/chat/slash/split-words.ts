/** Words apart by blanks; quotes at the beginning of one, or behind `=`, keep several together. Nothing is expanded. */
export function splitWords(text: string): readonly string[] {
  return [...text.matchAll(WORD)].map(([word, lead = "", double, single]) => {
    const quoted = double ?? single;
    return quoted === undefined ? word : lead + quoted;
  });
}

// A quote that is not closed goes to the end: the person is not done.
const WORD = /([^\s"'=]*=)?(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$))|\S+/g;
