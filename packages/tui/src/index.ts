export type { Terminal } from "@earendil-works/pi-tui";
export {
  type ArgumentCompletion,
  type CompletionCommand,
  createCompletion,
} from "./input/completion.ts";
export { formatMention } from "./input/format-mention.ts";
export type { PickItem } from "./dialogs/search-list.ts";
export { KEYS } from "./input/key-table.ts";
export { type ParsedSlash, parseSlash } from "./input/parse-slash.ts";
export { MODE_DESCRIPTIONS, nextMode } from "./input/permission-modes.ts";
export { type KeyActions, listenToKeys, QUIT_HINT, STOPPING_HINT } from "./input/screen-keys.ts";
export { promptText } from "./input/prompt-text.ts";
export { createWorkQueue, type WorkQueue } from "./input/work-queue.ts";
export { askBudget } from "./questions/ask-budget.ts";
export { askImport } from "./questions/ask-import.ts";
export { askPermission, type ReadFile } from "./questions/ask-permission.ts";
export { askPlan, type PlanDecision } from "./questions/ask-plan.ts";
export { askServer, type ServerQuestion } from "./questions/ask-server.ts";
export { createScreenUser, type ScreenUser } from "./questions/screen-user.ts";
export { searchHistory } from "./questions/search-history.ts";
export { createBackground, type StartBackground } from "./screen/background-work.ts";
export {
  createScreen,
  type Screen,
  type ScreenInput,
  type ScreenSettings,
} from "./screen/screen.ts";
export { NEW_WORK, type RunningWork, type ScreenState } from "./screen/screen-state.ts";
export { showEvent, showItem, showMessages, showNotice, showSent } from "./screen/show.ts";
export { wantsColor } from "./theme.ts";
export { createDeltaBuffer } from "./transcript/delta-buffer.ts";
export type { NoticeItem, ScreenItem } from "./transcript/items.ts";
export { toolSubject } from "./transcript/tool-summary.ts";
export { notice, type Transcript } from "./transcript/transcript.ts";
