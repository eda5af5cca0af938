const TEXT_FIELDS = "textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=button], [type=submit])";

/** Whether the page has text in a field, which a reload would lose. */
export function isAnythingTyped(): boolean {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)].some(
    ({ value, readOnly }) => value !== "" && !readOnly,
  );
}
