import { errorCode } from "@caliban/common/node";

/** Runs an optional action: a failure of the system is ignored. */
export async function ignoreFailure(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
