/** Waits for work on a claim. When the work throws, which is a bug or a disk that fails, the claim is given back first. */
export async function releasedOnThrow<Outcome>(
  work: Promise<Outcome>,
  release: () => boolean,
): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    release();
    throw error;
  }
}
