const NOBODY = 65_534;

/** Runs an action as a user whom file modes bind, also where the tests run as root. */
export async function withoutPrivileges<T>(action: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await action();
  process.seteuid?.(NOBODY);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}
