/** Takes bytes as they arrive. Returns false when a line exceeds the limit. */
export type LineSplitter = (bytes: Buffer) => boolean;

const NEWLINE = 0x0a;

/** Calls `onLine` with each complete line, without its end. A line that is too long is dropped. */
export function createLineSplitter(maxBytes: number, onLine: (line: string) => void): LineSplitter {
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  return (bytes) => {
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      const piece = bytes.subarray(from, at);
      if (heldBytes + piece.length > maxBytes) return false;
      const line = heldBytes === 0 ? piece : Buffer.concat([...pieces, piece]);
      [pieces, heldBytes, from] = [[], 0, at + 1];
      onLine(line.toString("utf8").replace(/\r$/, ""));
    }
    heldBytes += bytes.length - from;
    if (heldBytes > maxBytes) {
      [pieces, heldBytes] = [[], 0];
      return false;
    }
    if (from < bytes.length) pieces.push(bytes.subarray(from));
    return true;
  };
}
