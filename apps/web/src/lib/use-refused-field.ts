import { useEffect } from "react";
import { ApiError, explain } from "./api.ts";

interface Fields<Name extends string> {
  setFieldError: (name: Name, error: string) => void;
  getInputNode: (name: Name) => HTMLElement | null;
}

/**
 * Shows the panel's refusal of one field, or `ours` if it gave no reason, at that field, and focuses it. Like any field error it
 * goes when the field changes. Returns whether it is shown there: then it is not repeated below the form.
 */
export function useRefusedField<Name extends string>(
  fields: Fields<Name>,
  error: Error | null,
  fieldOf: (error: ApiError) => Name | undefined,
  ours: string,
): boolean {
  const field = error instanceof ApiError ? fieldOf(error) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another object at every drawing
  useEffect(() => {
    if (error === null || field === undefined) return;
    fields.setFieldError(field, explain(error, ours, ""));
    fields.getInputNode(field)?.focus();
  }, [error, field]);
  return field !== undefined;
}
