const UNPRIVILEGED_USER_ID = 65_534;

/** Runs an action as a user to whom file modes apply, even if the tests run as root. */
export async function withoutPrivileges<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await action();
  process.seteuid?.(UNPRIVILEGED_USER_ID);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}
