/**
 * What is wrong with the forms in the page that take a password, for who keeps passwords in a manager: it has to know whose each is, and
 * which is new. One of a machine is nobody's, and says so ("off").
 */
export function passwordFormProblems(): string[] {
  const problems: string[] = [];
  for (const field of document.querySelectorAll<HTMLInputElement>(
    'input[autocomplete*="password"], input[type="password"]',
  )) {
    const what = `${field.labels?.[0]?.textContent ?? field.name} in ${location.pathname}`;
    if (field.autocomplete === "off") continue;
    if (!["current-password", "new-password"].includes(field.autocomplete))
      problems.push(`${what}: neither old nor new`);
    const name = field.form?.querySelector<HTMLInputElement>('input[autocomplete="username"]:not([type="hidden"])');
    if (!name) problems.push(`${what}: nobody's`);
    else if (name.compareDocumentPosition(field) !== Node.DOCUMENT_POSITION_FOLLOWING)
      problems.push(`${what}: before its name`);
  }
  return problems;
}
