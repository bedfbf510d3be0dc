import type { ChildProcess } from "node:child_process";
import type { TestHome } from "./run-caliban.ts";

interface Answer {
  readonly id?: number | string | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
}

/** A process that speaks JSON-RPC on its pipes, one message per line, and gets raw bytes. */
export interface JsonLinesServer {
  readonly child: ChildProcess;
  readonly ended: ReturnType<TestHome["start"]>["ended"];
  readonly write: (bytes: string | Uint8Array) => void;
  /** Sends a request and returns its answer. */
  readonly ask: (id: number | string, method: string, params?: unknown) => Promise<Answer>;
  /** Waits for the answer with this id. */
  readonly answerTo: (id: number | string | null) => Promise<Answer>;
}

/** Starts caliban with these arguments in `~/app`. */
export function startJsonLines(user: TestHome, args: readonly string[]): JsonLinesServer {
  const { child, ended } = user.start(args, { isStdinOpen: true });
  const answers: Answer[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  child.stdout?.on("data", (chunk) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    answers.push(...lines.map((line) => JSON.parse(line) as Answer));
    for (const listener of listeners) listener();
  });
  const write = (bytes: string | Uint8Array): void => void child.stdin?.write(bytes);
  const answerTo = (id: number | string | null): Promise<Answer> =>
    new Promise((resolve) => {
      const check = (): void => {
        const at = answers.findIndex((answer) => answer.id === id && answer.method === undefined);
        const [found] = at === -1 ? [] : answers.splice(at, 1);
        if (found === undefined) return;
        listeners.delete(check);
        resolve(found);
      };
      listeners.add(check);
      check();
    });
  return {
    child,
    ended,
    write,
    answerTo,
    ask: async (id, method, params) => {
      write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return await answerTo(id);
    },
  };
}
