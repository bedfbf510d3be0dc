export type { BudgetSettings } from "./budget.ts";
export type { Approval } from "./approvals.ts";
export type { ExtraBlock } from "./discover.ts";
export { MemoryError, type MemoryErrorCode } from "./errors.ts";
export { type MemoryPlaces, memoryPlaces, type MemoryPlacesInput } from "./places.ts";
export type { Candidate, LoadedFile, NotLoaded } from "./loaded-file.ts";
export { buildPrefix, type MemoryPrefix, type PrefixInput } from "./prefix.ts";
export type { Notice, ReasonCode, Receipt, ReceiptEntry, ReceiptStatus } from "./receipt.ts";
export { type ChosenSettings, DEFAULT_SETTINGS, type MemorySettings } from "./settings.ts";
export {
  renderExplanation,
  renderGlobalWarning,
  renderStartLine,
  renderSummary,
  type SummaryInput,
} from "./summary.ts";
export type { FileKind, TierKind } from "./tier.ts";
export { type Sha256Hex, workspaceSlug } from "./workspace-slug.ts";
