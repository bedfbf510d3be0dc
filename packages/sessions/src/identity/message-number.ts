/** 12 for `m12`; 0 for any other text. */
export function messageNumber(id: string): number {
  return Number(/^m([1-9]\d{0,8})$/.exec(id)?.[1] ?? 0);
}

/** 2 for the id of a rewind such as `r2`; 0 for any other text. */
export function rewindNumber(id: string): number {
  return Number(/^r([1-9]\d{0,8})$/.exec(id)?.[1] ?? 0);
}
