import { isErrorNamed } from "@caliban/common";

/** Why a login did not succeed. */
export type LoginErrorCode = "DECLINED" | "FAILED" | "INTERRUPTED" | "TIMED_OUT" | "UNSAFE_ADDRESS";

/** A problem of a login. The message is safe to print and contains no secret. */
export class LoginError extends Error {
  override readonly name = "LoginError" as const;
  readonly code: LoginErrorCode;

  constructor(code: LoginErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an error is a LoginError of this copy of the package or of another one. */
export function isLoginError(error: unknown): error is LoginError {
  return isErrorNamed(error, "LoginError") && typeof error.code === "string";
}
