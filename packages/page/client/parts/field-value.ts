/** The text of the field that an event is about. */
export function fieldValue({ currentTarget: field }: Event): string {
  const isField =
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement;
  return isField ? field.value : "";
}
