/** How two memories answered the same questions. */
export interface ExamResult {
  readonly asked: number;
  readonly foundBefore: number;
  readonly foundAfter: number;
  /** The questions that only the memory before answers. */
  readonly lost: readonly string[];
}
