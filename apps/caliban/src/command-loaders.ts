import type { RunCommand } from "./command.ts";

/** Imports a command when it is called, so that no command pays for another. The key is its path in the command table. */
export const COMMAND_LOADERS: Readonly<Record<string, () => Promise<RunCommand>>> = {
  // Without a command: a conversation.
  "": async () => (await import("./commands/chat/chat.ts")).chat,
  "memory explain": async () => (await import("./commands/memory/show.ts")).explainMemory,
  "memory list": async () => (await import("./commands/memory/topics/read-topics.ts")).listTopics,
  "memory show": async () => (await import("./commands/memory/topics/read-topics.ts")).showTopic,
  "memory search": async () => (await import("./commands/memory/topics/search.ts")).searchMemory,
  "memory read": async () =>
    (await import("./commands/memory/topics/read-topics.ts")).readMemoryUrl,
  "memory path": async () => (await import("./commands/memory/topics/read-topics.ts")).showPath,
  "memory doctor": async () => (await import("./commands/memory/topics/doctor.ts")).checkTopics,
  "memory write": async () =>
    (await import("./commands/memory/topics/change-topics.ts")).writeTopic,
  "memory edit": async () => (await import("./commands/memory/topics/edit.ts")).editMemory,
  "memory mv": async () => (await import("./commands/memory/topics/change-topics.ts")).renameTopic,
  "memory rm": async () => (await import("./commands/memory/topics/change-topics.ts")).removeTopic,
  "memory move": async () => (await import("./commands/memory/topics/move.ts")).moveTopic,
  "memory rebuild-index": async () =>
    (await import("./commands/memory/topics/change-topics.ts")).rebuildIndex,
  "memory approve": async () => (await import("./commands/memory/decisions.ts")).approveImport,
  "memory adopt": async () => (await import("./commands/memory/decisions.ts")).adoptMemory,
  "memory inbox": async () => (await import("./commands/memory/inbox/inbox.ts")).showInbox,
  "memory enforce": async () =>
    (await import("./commands/memory/enforced/enforce.ts")).enforceTopic,
  "memory backtest": async () =>
    (await import("./commands/memory/enforced/backtest.ts")).backtestMemory,
  "memory forget": async () => (await import("./commands/memory/topics/forget.ts")).forgetMemory,
  "memory restore": async () => (await import("./commands/memory/topics/restore.ts")).restoreMemory,
  "memory log": async () => (await import("./commands/memory/topics/history.ts")).showLog,
  "memory diff": async () => (await import("./commands/memory/topics/diff.ts")).showChange,
  "memory undo": async () => (await import("./commands/memory/topics/history.ts")).undoChange,
  memory: async () => (await import("./commands/memory/show.ts")).showMemory,
  "memory view": async () => (await import("./commands/memory/learned/view.ts")).viewLearned,
  "memory stats": async () => (await import("./commands/memory/learned/stats.ts")).showStats,
  "memory rebuild": async () =>
    (await import("./commands/memory/learned/rebuild.ts")).rebuildLearned,
  "memory retry": async () => (await import("./commands/memory/learned/retry.ts")).retryFailed,
  "memory clear": async () => (await import("./commands/memory/learned/clear.ts")).clearLearned,
  "memory import": async () => (await import("./commands/memory/exchange/import.ts")).importMemory,
  "memory export": async () => (await import("./commands/memory/exchange/export.ts")).exportMemory,
  "memory copy": async () => (await import("./commands/memory/database/copy.ts")).copyMemory,
  "memory migrate": async () =>
    (await import("./commands/memory/database/migrate.ts")).migrateDatabase,
  "memory team": async () => (await import("./commands/memory/team/status.ts")).showTeam,
  "memory team init": async () => (await import("./commands/memory/team/init.ts")).initTeam,
  "memory team status": async () => (await import("./commands/memory/team/status.ts")).showTeam,
  "memory team sync": async () => (await import("./commands/memory/team/sync.ts")).syncTeamMemory,
  "memory team log": async () => (await import("./commands/memory/team/log.ts")).showTeamLog,
  "memory team share": async () => (await import("./commands/memory/team/share.ts")).shareWithTeam,
  "memory team unshare": async () =>
    (await import("./commands/memory/team/share.ts")).unshareFromTeam,
  "memory team approve": async () =>
    (await import("./commands/memory/team/approve.ts")).approveAuthor,
  "memory team revoke": async () =>
    (await import("./commands/memory/team/approve.ts")).revokeAuthor,
  "memory team leave": async () => (await import("./commands/memory/team/leave.ts")).leaveTeam,
  sessions: async () => (await import("./commands/sessions/list.ts")).listStoredSessions,
  "sessions export": async () => (await import("./commands/sessions/export.ts")).exportSession,
  "sessions rm": async () => (await import("./commands/sessions/remove.ts")).removeStoredSession,
  mcp: async () => (await import("./commands/mcp/serve.ts")).serveMemory,
  "mcp list": async () => (await import("./commands/mcp/list.ts")).listServers,
  "mcp add": async () => (await import("./commands/mcp/add.ts")).addServer,
  "mcp remove": async () => (await import("./commands/mcp/remove.ts")).removeServer,
  "mcp approve": async () => (await import("./commands/mcp/approve.ts")).approveServer,
  "mcp forget": async () => (await import("./commands/mcp/forget.ts")).forgetServer,
  acp: async () => (await import("./commands/acp/acp.ts")).serveAgent,
  hooks: async () => (await import("./commands/hooks/list.ts")).listHooks,
  "hooks approve": async () => (await import("./commands/hooks/approve.ts")).approveHook,
  "hooks forget": async () => (await import("./commands/hooks/approve.ts")).forgetHook,
  "hook run": async () => (await import("./commands/hook/run.ts")).runHook,
  "hook refresh": async () => (await import("./commands/hook/refresh.ts")).refreshNotes,
  hook: async () => (await import("./commands/hook/list.ts")).listAgentHooks,
  "hook install": async () => (await import("./commands/hook/install.ts")).installHook,
  "hook uninstall": async () => (await import("./commands/hook/install.ts")).uninstallHook,
  page: async () => (await import("./commands/page/page.ts")).showPage,
  serve: async () => (await import("./commands/serve/serve.ts")).serveStores,
  "serve token": async () =>
    (await import("./commands/serve/tokens/manage-tokens.ts")).manageTokens,
  settings: async () => (await import("./commands/settings/show.ts")).showSettings,
  "settings get": async () => (await import("./commands/settings/show.ts")).getSetting,
  "settings set": async () => (await import("./commands/settings/edit.ts")).setSetting,
  "settings unset": async () => (await import("./commands/settings/edit.ts")).unsetSetting,
  prompt: async () => (await import("./commands/prompt.ts")).showPrompt,
  doctor: async () => (await import("./commands/doctor/doctor.ts")).checkInstallation,
  completion: async () => (await import("./commands/completion.ts")).printCompletion,
};
