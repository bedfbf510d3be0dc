export { type BudgetSettings, type FittedBlock, fitToBudget } from "./budget.ts";
export {
  type Candidate,
  discover,
  type DiscoverInput,
  INDEX_FILE,
  INSTRUCTION_FILE,
} from "./discover.ts";
export { MemoryError, type MemoryErrorCode } from "./errors.ts";
export { type MemoryPlaces, memoryPlaces, type MemoryPlacesInput } from "./places.ts";
export {
  buildPrefix,
  MAX_FILE_BYTES,
  MAX_INDEX_BYTES,
  MAX_INDEX_LINES,
  type MemoryPrefix,
  type PrefixInput,
  type ReadCandidate,
  type Reading,
} from "./prefix.ts";
export type { Notice, ReasonCode, Receipt, ReceiptEntry, ReceiptStatus } from "./receipt.ts";
export { sanitize } from "./sanitize.ts";
export { DEFAULT_SETTINGS, type MemorySettings } from "./settings.ts";
export { splice } from "./splice.ts";
export { renderExplanation, renderStartLine, renderSummary, type SummaryInput } from "./summary.ts";
export { type Block, SHED_ORDER, SPLICE_ORDER, TIER_TAGS, type TierKind } from "./tier.ts";
export { type Sha256Hex, workspaceSlug } from "./workspace-slug.ts";
