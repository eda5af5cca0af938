import { useState } from "react";
import { ApiError } from "./api.ts";
import { useCommand } from "./use-command.ts";
import { useEditing } from "./use-editing.ts";

interface Wish<Row, Fields, Change extends object, Saved, Conflict> {
  /** The edited row when the form opens; null for a new one. */
  row: Row;
  fieldsOf: (row: Row) => Fields;
  /** What cannot be sent yet. */
  problemsOf: (fields: Fields, seen: Row) => Partial<Record<keyof Fields & string, React.ReactNode>>;
  /** Only the fields that differ from what was seen, with what was seen of them. No keys: no difference. */
  changeOf: (seen: NonNullable<Row>, fields: Fields) => Change;
  send: (change: Change) => Promise<Saved>;
  /** Creates a new one. */
  add?: (fields: Fields) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onUnchanged: () => void;
  /** Rereads the row after somebody else has changed it, and what the form then says about that. */
  lookAgain: (error: ApiError, seen: NonNullable<Row>) => Promise<{ row: NonNullable<Row>; conflict: Conflict }>;
  /** The field that another refusal is about. */
  fieldOf?: (error: ApiError) => (keyof Fields & string) | undefined;
}

/**
 * A form for something that others may change too. The panel refuses a change of fields that no longer match what was seen. The
 * form then shows their current values (`conflict`), which count as seen: saving again replaces them, knowingly.
 */
export function useEditForm<Row, Fields extends object, Change extends object, Saved, Conflict>(
  wish: Wish<Row, Fields, Change, Saved, Conflict>,
) {
  const { fieldsOf, problemsOf, changeOf, fieldOf } = wish;
  const [seen, setSeen] = useState(wish.row);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { form, values, set, draft } = useEditing(fieldsOf(seen));

  const saving = useCommand({
    mutationFn: (change: Change | null) =>
      change === null && wish.add ? wish.add(values) : wish.send(change ?? ({} as Change)),
    onSuccess: wish.onSaved,
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      const field = fieldOf?.(error);
      if (field !== undefined) form.setErrors({ [field]: error.message });
      if (!isConflict(error) || seen === null) return;
      const now = await wish.lookAgain(error, seen as NonNullable<Row>);
      setSeen(now.row);
      setConflict(now.conflict);
    },
  });
  const save = () => {
    const problems = problemsOf(values, seen);
    form.setErrors(problems);
    if (Object.keys(problems).length > 0 || saving.isPending) return;
    const change = seen === null ? null : changeOf(seen as NonNullable<Row>, values);
    if (change !== null && Object.keys(change).length === 0) wish.onUnchanged();
    else saving.mutate(change);
  };
  const isTold =
    saving.error instanceof ApiError && (isConflict(saving.error) || fieldOf?.(saving.error) !== undefined);
  return {
    form,
    values,
    set,
    draft,
    seen,
    conflict,
    save,
    busy: saving.isPending,
    saved: saving.data,
    /** Why it was not saved, unless the conflict or a field says so. */
    error: isTold ? null : saving.error,
    sent: saving.variables,
  };
}

const isConflict = (error: ApiError) => error.code.endsWith("changed_meanwhile");
