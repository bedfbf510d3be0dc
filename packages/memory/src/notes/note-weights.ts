/**
 * How much each kind of shared term says about whether a memory concerns a moment. Fitted by `bench/applied/fit.ts` on the
 * tuning cases: a choice between all passages and showing nothing, whose probabilities follow from these sums.
 */
export const NOTE_WEIGHTS: NoteWeights = {
  /** Words of the user's message: anywhere in the passage, in what it starts with, and in the statement itself. */
  message: { anywhere: 1.16, title: 1.34, own: 0.91 },
  /** The file itself, by its name and by its last directories. */
  file: 0.75,
  /** The file's directory as a whole, and the words of its name. */
  directory: 1.54,
  directoryName: 1.09,
  /** Words and parts of identifiers in the lines that a call reads or writes. */
  word: { anywhere: 2.12, own: 0.86 },
  command: 1.79,
  /** Words of the message that the call repeats, which would count twice. */
  repeated: -0.89,
  /** That a statement forbids what a call does. */
  avoided: 0.71,
  /** How much the passage settles something. */
  strength: 0.54,
  /** A long passage shares words with anything. For each factor of e over the usual length. */
  length: -0.33,
  /** A search for the task: the score compared with the best one, and the place. */
  found: { share: 0.49, place: 0.82 },
  /** That nothing is needed: always, for a small task, and for each word that memory does not have. */
  nothing: { always: 3.08, small: 2.32, unknown: 0.51 },
};

export interface NoteWeights {
  readonly message: { readonly anywhere: number; readonly title: number; readonly own: number };
  readonly file: number;
  readonly directory: number;
  readonly directoryName: number;
  readonly word: { readonly anywhere: number; readonly own: number };
  readonly command: number;
  readonly repeated: number;
  readonly avoided: number;
  readonly strength: number;
  readonly length: number;
  readonly found: { readonly share: number; readonly place: number };
  readonly nothing: { readonly always: number; readonly small: number; readonly unknown: number };
}
