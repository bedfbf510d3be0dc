import type { PageScope } from "@caliban/page";
import { createEvidenceCheck, type EvidenceCheck } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import { type OpenTopics, openTopics } from "../memory/topics/open-topics.ts";
import { createKnownSecrets } from "./known-secrets.ts";
import { inScope } from "./scoped-invocation.ts";
import { createTopicCache } from "./topic-cache.ts";

/** What the parts of a project's data share: what they know, and do not read again with each request. */
export interface PageContext {
  readonly invocation: Invocation;
  /** The topics of a scope, with settings that are read again each time. */
  readonly topics: (scope: PageScope) => Promise<OpenTopics>;
  readonly findSecrets: ReturnType<typeof createKnownSecrets>;
  readonly evidence: (root: string) => EvidenceCheck;
  /** Something may have changed. */
  readonly forget: () => void;
}

export function createPageContext(invocation: Invocation): PageContext {
  const caches = { project: createTopicCache(nowMs), user: createTopicCache(nowMs) };
  let evidence: { readonly root: string; readonly check: EvidenceCheck } | undefined;
  return {
    invocation,
    topics: async (scope) => caches[scope].reading(await openTopics(inScope(invocation, scope))),
    findSecrets: createKnownSecrets(nowMs),
    evidence: (root) => {
      if (evidence?.root !== root) evidence = { root, check: createEvidenceCheck({ root }) };
      return evidence.check;
    },
    forget: () => {
      caches.project.forget();
      caches.user.forget();
    },
  };
}

/** A clock that no one sets. */
function nowMs(): number {
  return performance.now();
}
