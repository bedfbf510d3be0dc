/**
 * What the model is told behind the first words of the person. It stands here and not in the prompt, because it changes
 * every day, and the provider's cache is to outlive that.
 */
export function openingNote(nowMs: number): string {
  const now = new Date(nowMs);
  return `[Today is ${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}.]`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
