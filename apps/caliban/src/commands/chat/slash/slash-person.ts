/** How a slash command speaks with the person while it runs. */
export interface SlashPerson {
  /** Asks under a text that is shown with the question; anything but yes is no. */
  readonly confirm: (question: string, text?: string) => Promise<boolean>;
  readonly pick: (title: string, items: readonly PickItem[]) => Promise<string | undefined>;
  /** Shows how far a command is that takes a while. */
  readonly progress: (line: string) => void;
  /** Tells when the person wants the command to end; gives back how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Leaves the terminal to something else for as long as it runs. */
  readonly lend: <Result>(use: () => Promise<Result>) => Promise<Result>;
}

export interface PickItem {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}
