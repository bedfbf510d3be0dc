import { findSecrets } from "@caliban/common/secrets";
import { INDEX_FILE } from "@caliban/memory";
import type { StoreFiles } from "@caliban/memory/node";

/** Sentences about what looks like a secret in what would leave; kind and place, never the value. */
export async function secretsIn({ index, topics }: StoreFiles): Promise<readonly string[]> {
  const texts = [
    ...(index === null ? [] : [{ file: INDEX_FILE, text: index }]),
    ...topics.map(({ slug, text }) => ({ file: `${slug}.md`, text })),
  ];
  const found = await Promise.all(
    texts.map(async ({ file, text }) =>
      (await findSecrets(text)).map(
        ({ kind, line }) => `${file}:${line} looks like a secret: ${kind}`,
      ),
    ),
  );
  return found.flat();
}
