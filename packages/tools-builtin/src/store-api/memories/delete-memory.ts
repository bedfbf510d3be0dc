import { documentPath } from "../documents/document-path.ts";
import { documentOf } from "../documents/topic-document.ts";
import { type ApiAnswer, answer, StoreApiError } from "../request/api-answer.ts";
import type { RequestFields } from "../request/api-request.ts";
import { requireChange } from "../served-store.ts";
import type { ChangeContext } from "./create-memory.ts";
import { findMemory } from "./find-memory.ts";
import { parseExpectedSha, preconditionFailed } from "./precondition.ts";
import { proposeMemory, reasonToHold } from "./review-memory.ts";
import { authorOf } from "./write-content.ts";

const MAX_ATTEMPTS = 100;

export async function deleteMemory(
  memoryId: string,
  query: RequestFields,
  { opened, client, sha256Hex }: ChangeContext,
): Promise<ApiAnswer> {
  requireChange(opened, client, "delete");
  const expected = parseExpectedSha(query);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await findMemory(opened, memoryId);
    if (expected !== undefined && expected !== sha256Hex(documentOf(current).content))
      throw preconditionFailed();
    const { slug: name, hash: ifMatch } = current;
    const deletion = { action: "delete", topic: { name, ifMatch } } as const;
    const reason = await reasonToHold(deletion, opened, current);
    if (reason !== undefined) {
      const path = documentPath(name);
      return await proposeMemory({ ...deletion, reason, path }, opened, client);
    }
    const result = await opened.store.remove({ name, ifMatch, author: authorOf(client) });
    if (result.kind === "conflict") continue;
    return answer({ type: "memory_deleted", id: memoryId });
  }
  throw new StoreApiError("overloaded_error", "others change this memory all the time; try again");
}
