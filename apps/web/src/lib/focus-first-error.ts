interface Fields {
  getInputNode: (name: string) => HTMLElement | null;
}

/** After a form is refused, focuses its first field with an error. */
export const focusFirstError = (fields: Fields) => (errors: Record<string, unknown>) => {
  const [first] = Object.keys(errors);
  if (first !== undefined) fields.getInputNode(first)?.focus();
};
