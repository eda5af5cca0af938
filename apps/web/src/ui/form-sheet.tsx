import { Button } from "@mantine/core";
import { useId } from "react";
import { useText } from "../lib/i18n/use-text.tsx";
import "./form.css";
import classes from "./form-sheet.module.css";
import { Sheet, SheetActions } from "./sheet.tsx";
import { SubmitButton } from "./submit-button.tsx";

interface Props {
  title: string;
  onClose: () => void;
  /** null: what the form is filled from is not there yet, and there is nothing to send. */
  submit: {
    label: string;
    working: string;
    busy: boolean;
    disabled?: boolean;
    /** Something is destroyed by it. */
    danger?: boolean;
  } | null;
  onSubmit: () => void;
  /** The other button's label, if not 'Cancel'. */
  cancel?: string;
  /** Focuses the way out: the question needs no typing. */
  cancelFirst?: boolean;
  /** What the change does, shown above the buttons. */
  effect?: React.ReactNode;
  small?: boolean;
  children: React.ReactNode;
}

/** A form in a dialog: its fields scroll, what sends it and the way out stay in sight. */
export function FormSheet(props: Props) {
  const { title, onClose, submit, onSubmit, cancel, cancelFirst = false, effect, small = false, children } = props;
  const { common } = useText();
  const formId = useId();
  const actions = (
    <SheetActions>
      <Button variant="subtle" size="lg" onClick={onClose} data-autofocus={cancelFirst || undefined}>
        {cancel ?? common.cancel}
      </Button>
      {submit && <SubmitButton form={formId} {...submit} />}
    </SheetActions>
  );
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      small={small}
      footer={
        effect ? (
          <div className={classes.foot}>
            {effect}
            {actions}
          </div>
        ) : (
          actions
        )
      }
    >
      {submit === null ? (
        children
      ) : (
        <form
          id={formId}
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!submit.busy && !submit.disabled) onSubmit();
          }}
        >
          {children}
        </form>
      )}
    </Sheet>
  );
}
