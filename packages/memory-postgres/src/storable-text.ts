import { type CommitRequest, MemoryError } from "@caliban/memory";

/** Whether a text column of PostgreSQL keeps it exactly: it has neither a NUL character nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/**
 * Checks everything that a commit puts into text columns. Records are JSON, which escapes such characters.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function assertStorable({ changes, record, rewritten = [] }: CommitRequest): void {
  for (const { name, text } of changes) {
    if (!isStorable(name)) throw notStorable(`the name ${JSON.stringify(name)}`);
    if (text !== null && !isStorable(text)) throw notStorable(name);
  }
  for (const { id, at } of record === undefined ? rewritten : [record, ...rewritten]) {
    if (!isStorable(id) || !isStorable(at)) throw notStorable(`record ${JSON.stringify(id)}`);
  }
}

function notStorable(subject: string): MemoryError {
  const message = `${subject}: PostgreSQL cannot store NUL characters or half of a surrogate pair. Remove them.`;
  return new MemoryError("INVALID_TOPIC", message);
}
