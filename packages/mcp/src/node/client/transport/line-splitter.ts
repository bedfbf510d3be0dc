/** Takes bytes as they come; false when a line is longer than it may be. */
export type LineSplitter = (bytes: Buffer) => boolean;

const NEWLINE = 0x0a;

/** Tells each whole line, without its end. Of a line that is too long nothing is kept. */
export function createLineSplitter(maxBytes: number, onLine: (line: string) => void): LineSplitter {
  let pieces: Buffer[] = [];
  let held = 0;
  return (bytes) => {
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      const piece = bytes.subarray(from, at);
      if (held + piece.length > maxBytes) return false;
      const line = held === 0 ? piece : Buffer.concat([...pieces, piece]);
      [pieces, held, from] = [[], 0, at + 1];
      onLine(line.toString("utf8").replace(/\r$/, ""));
    }
    held += bytes.length - from;
    if (held > maxBytes) {
      [pieces, held] = [[], 0];
      return false;
    }
    if (from < bytes.length) pieces.push(bytes.subarray(from));
    return true;
  };
}
