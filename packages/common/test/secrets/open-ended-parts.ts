/** A piece of a regular expression: whether it may be of any length, and whether it may fail. */
interface Piece {
  readonly isOpenEnded: boolean;
  readonly mayFail: boolean;
}

/**
 * Whether a regular expression has an open-ended repetition that something must follow. Such a pattern reads to the end of a
 * long run in vain, and takes quadratic time if it can begin anywhere in that run.
 */
export function mustFollowOpenEnd(source: string): boolean {
  let at = 0;
  let isFollowed = false;

  function readAlternatives(): Piece {
    let [isOpenEnded, mayFail] = [false, false];
    do {
      const pieces: Piece[] = [];
      while (at < source.length && !"|)".includes(source.charAt(at))) pieces.push(readRepeated());
      const open = pieces.findIndex((piece) => piece.isOpenEnded);
      if (open !== -1 && pieces.slice(open + 1).some((piece) => piece.mayFail)) isFollowed = true;
      isOpenEnded ||= open !== -1;
      mayFail ||= pieces.some((piece) => piece.mayFail);
    } while (source.charAt(at) === "|" && ++at > 0);
    return { isOpenEnded, mayFail };
  }

  function readRepeated(): Piece {
    const piece = readPiece();
    const [quantifier = ""] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at)) ?? [];
    at += quantifier.length;
    return {
      isOpenEnded: piece.isOpenEnded || /^[*+]|,\}/.test(quantifier),
      mayFail: piece.mayFail && !/^[*?]|^\{0/.test(quantifier),
    };
  }

  function readPiece(): Piece {
    const [opening] = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at)) ?? [];
    if (opening === undefined) {
      at +=
        /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:k<\w+>|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|.)|.)/su.exec(
          source.slice(at),
        )?.[0].length ?? 1;
      return { isOpenEnded: false, mayFail: true };
    }
    at += opening.length;
    const group = readAlternatives();
    at += 1;
    // A look-around reads on its own, and what it found may be missing.
    return /[=!]$/.test(opening) ? { isOpenEnded: false, mayFail: true } : group;
  }

  readAlternatives();
  return isFollowed;
}
