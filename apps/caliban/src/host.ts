import type { Environment } from "@caliban/common";

/** Everything the program takes from the machine besides files. Tests pass a literal. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly platform: string;
  /** `undefined` when the current directory was removed. */
  readonly cwd: string | undefined;
  /** `undefined` when neither HOME nor the user database names one. */
  readonly home: string | undefined;
  readonly version: string;
  /** Whether a person looks at stdout, so that control characters in untrusted text must be made visible. */
  readonly isTerminal: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
