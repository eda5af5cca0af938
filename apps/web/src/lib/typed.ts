const TEXT_FIELDS = "textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=button], [type=submit])";

/** Whether a field of the page has text that a reload would lose. */
export function isAnythingTyped(): boolean {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)].some(
    ({ value, readOnly }) => value !== "" && !readOnly,
  );
}
