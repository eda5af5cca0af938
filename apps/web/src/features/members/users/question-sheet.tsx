import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import type { Question } from "./question.ts";

interface Props extends Omit<Question, "onConfirm"> {
  /** The button's words before there is progress. null: nothing can be sent yet. */
  button: { label: string; working: string } | null;
  onSubmit: () => void;
  children: React.ReactNode;
}

/** A question about many members with something to choose. */
export const QuestionSheet = ({
  title,
  confirm,
  progress,
  busy = false,
  bad,
  onClose,
  button,
  onSubmit,
  children,
}: Props) => (
  <FormSheet
    draft={null}
    small
    title={title}
    onClose={onClose}
    submit={button && { label: confirm ?? button.label, working: progress ?? button.working, busy }}
    onSubmit={onSubmit}
  >
    {children}
    <FormMessage bad={bad} />
  </FormSheet>
);
