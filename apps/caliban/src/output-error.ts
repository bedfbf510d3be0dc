/** What to do when nobody can read on: how to end, and what to say on stderr. */
export interface LostOutput {
  readonly exitCode: 0 | 1;
  readonly message: string;
}

/** A reader that has seen enough (`| head`) is no failure; a full disk is. */
export function lostOutput(error: NodeJS.ErrnoException): LostOutput {
  if (error.code === "EPIPE") return { exitCode: 0, message: "" };
  const reason = error.code ?? error.message;
  return { exitCode: 1, message: `caliban: the output cannot be written (${reason})\n` };
}
