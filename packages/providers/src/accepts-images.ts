interface ImageQuestion {
  readonly model: string;
  /** What the settings say about the provider. */
  readonly images: boolean | undefined;
}

/** Whether a model accepts images. The settings decide first, then the name. An unknown model gets none. */
export function acceptsImages({ model, images }: ImageQuestion): boolean {
  if (images !== undefined) return images;
  const name = model.toLowerCase();
  if (WITHOUT_IMAGES.test(name)) return false;
  return WITH_IMAGES.test(name);
}

/** Names that belong to a family with images, but have none. */
const WITHOUT_IMAGES =
  /claude-(?:2|instant)|gpt-3|gpt-4(?:$|-0|-32k|-\d{4})|(?:^|\/)o1-(?:mini|preview)|o3-mini|embed|codex-mini/;

/** Families whose models accept images, on any server. */
const WITH_IMAGES =
  /claude-|gpt-4o|gpt-4\.|gpt-4-(?:turbo|vision)|gpt-[5-9]|(?:^|\/)o[134](?:$|-)|gemini-|gemma-?3|pixtral|llava|moondream|minicpm-v|internvl|llama-?4|llama-?3\.2-?vision|mistral-small-?3\.[1-9]|(?:^|[-.\d:])vl(?:$|[-:\d])|vision/;
