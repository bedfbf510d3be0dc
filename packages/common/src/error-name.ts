/** An error of one of our classes, as far as its name tells. */
export interface NamedError extends Error {
  readonly code?: unknown;
}

/**
 * Whether an error has the name of one of our classes. A second copy of a package has classes of its own, so the class
 * says nothing about an error that another package may have thrown.
 */
export function isErrorNamed(error: unknown, name: string): error is NamedError {
  if (typeof error !== "object" || error === null) return false;
  return "name" in error && error.name === name && "message" in error;
}
