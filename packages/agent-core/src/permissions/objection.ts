/** What the program found against a call before it runs, such as a hook. It can only make a decision stricter. */
export interface Objection {
  readonly effect: "deny" | "ask";
  /** Who objects and why, as one sentence for the user. */
  readonly reason: string;
  /** The same for the model, which may have a text of others in a frame. */
  readonly text: string;
}
