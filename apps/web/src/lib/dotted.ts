/** Facts on one line; false is left out. No line begins with a dot. */
export const dotted = (facts: readonly (string | false)[]): string =>
  facts.filter((fact) => fact !== false).join("\u00a0· ");
