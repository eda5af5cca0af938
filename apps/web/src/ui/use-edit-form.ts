import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../lib/api.ts";
import { useCommand } from "../lib/use-command.ts";
import { useEditing } from "../lib/use-editing.ts";
import { useEditWords } from "./edit-words.ts";
import { useToast } from "./toasts.tsx";

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
  /** The message once it was saved; null: the form stays, to show what was created. */
  saved: (saved: Saved) => string | null;
  /** The queries to refetch once it was saved, and before looking again. */
  changes: QueryKey;
  /** Rereads the row after somebody else has changed it, and what the form then says about that. */
  lookAgain: LookAgain<NonNullable<Row>, Conflict>;
  /** The field that another refusal is about. */
  fieldOf?: (error: ApiError) => (keyof Fields & string) | undefined;
  onClose: () => void;
}

type LookAgain<Row, Conflict> = (
  error: ApiError,
  seen: Row,
  client: QueryClient,
) => Promise<{ row: Row; conflict: Conflict }>;

/** Looks for the row in its list. */
export const inList =
  <Row extends { id: string }>(read: (client: QueryClient) => Promise<readonly Row[]>): LookAgain<Row, Row> =>
  async (_, seen, client) => {
    const row = (await read(client)).find(({ id }) => id === seen.id) ?? seen;
    return { row, conflict: row };
  };

/**
 * A form for something that others may change too. The panel refuses a change of fields that no longer match what was seen. The
 * form then shows their current values (`conflict`), which count as seen: saving again replaces them, knowingly.
 */
export function useEditForm<Row, Fields extends object, Change extends object, Saved, Conflict>(
  wish: Wish<Row, Fields, Change, Saved, Conflict>,
) {
  const { fieldsOf, problemsOf, changeOf, fieldOf, changes, onClose } = wish;
  const words = useEditWords();
  const toast = useToast();
  const client = useQueryClient();
  const [seen, setSeen] = useState(wish.row);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { form, values, set, draft } = useEditing(fieldsOf(seen));

  const end = (message: string | null) => {
    if (message === null) return;
    void toast("good", message);
    onClose();
  };
  const saving = useCommand({
    mutationFn: (change: Change | null) =>
      change === null && wish.add ? wish.add(values) : wish.send(change ?? ({} as Change)),
    onSuccess: (saved) => {
      void client.invalidateQueries({ queryKey: changes });
      end(wish.saved(saved));
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      const field = fieldOf?.(error);
      if (field !== undefined) form.setErrors({ [field]: error.message });
      if (!isConflict(error) || seen === null) return;
      await client.invalidateQueries({ queryKey: changes });
      const now = await wish.lookAgain(error, seen as NonNullable<Row>, client);
      setSeen(now.row);
      setConflict(now.conflict);
    },
  });
  const save = () => {
    const problems = problemsOf(values, seen);
    form.setErrors(problems);
    if (Object.keys(problems).length > 0 || saving.isPending) return;
    const change = seen === null ? null : changeOf(seen as NonNullable<Row>, values);
    if (change !== null && Object.keys(change).length === 0) end(words.nothingChanged);
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
