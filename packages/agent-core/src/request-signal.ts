import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** What ends a request: an AbortSignal, under a name that needs no library of a platform for its type. */
export type RequestSignal = NonNullable<LanguageModelV4CallOptions["abortSignal"]>;
