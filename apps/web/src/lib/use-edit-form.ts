import { useState } from "react";
import { ApiError } from "./api.ts";
import { useCommand } from "./use-command.ts";
import { useEditing } from "./use-editing.ts";

interface Wish<Row, Fields, Change extends object, Saved, Conflict> {
  /** What is edited, as it is when the form opens; null for something new. */
  row: Row;
  fieldsOf: (row: Row) => Fields;
  /** What cannot be sent as it is. */
  problemsOf: (fields: Fields, seen: Row) => Partial<Record<keyof Fields & string, React.ReactNode>>;
  /** Only what differs from what was seen, together with what was seen of it; without a key: nothing differs. */
  changeOf: (seen: NonNullable<Row>, fields: Fields) => Change;
  send: (change: Change) => Promise<Saved>;
  /** Sends something new. */
  add?: (fields: Fields) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onUnchanged: () => void;
  /** Reads the row again after somebody else has changed it, and what the form then says about that. */
  lookAgain: (error: ApiError, seen: NonNullable<Row>) => Promise<{ row: NonNullable<Row>; conflict: Conflict }>;
  /** The field that another refusal is about. */
  fieldOf?: (error: ApiError) => (keyof Fields & string) | undefined;
}

/**
 * The form of one thing that others may change too. The panel refuses a change of fields that are no longer as they were seen. The
 * form then shows what they are now (`conflict`), and from there on that has been seen: saving again replaces it, knowingly.
 */
export function useEditForm<Row, Fields extends object, Change extends object, Saved, Conflict>(
  wish: Wish<Row, Fields, Change, Saved, Conflict>,
) {
  const { fieldsOf, problemsOf, changeOf, fieldOf } = wish;
  const [seen, setSeen] = useState(wish.row);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { form, values, set } = useEditing(fieldsOf(seen));

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
