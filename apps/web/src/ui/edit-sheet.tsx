import { useEditWords } from "./edit-words.ts";
import { FormSheet } from "./form-sheet.tsx";
import type { useEditForm } from "./use-edit-form.ts";

interface Props
  extends Pick<React.ComponentProps<typeof FormSheet>, "title" | "onClose" | "effect" | "children">,
    Partial<Pick<React.ComponentProps<typeof FormSheet>, "onSubmit">> {
  editing: Pick<ReturnType<typeof useEditForm>, "busy" | "save" | "draft">;
  /** Where its draft is stored: which form, and of what. */
  place: string;
  /** The button's words, if not 'Save'. */
  button?: { label: string; working: string } | undefined;
  /** What the form offers has not loaded yet. */
  isWaiting?: boolean;
}

/** A sheet with a form for something that others may change too. */
export function EditSheet({ editing, place, button, isWaiting = false, ...sheet }: Props) {
  const words = useEditWords();
  const { label, working } = button ?? { label: words.save, working: words.saving };
  return (
    <FormSheet
      draft={editing.draft(place)}
      asksBeforeLoss
      submit={isWaiting ? null : { label, working, busy: editing.busy }}
      onSubmit={editing.save}
      {...sheet}
    />
  );
}
