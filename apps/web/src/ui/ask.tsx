import { Button } from "@mantine/core";
import { useText } from "../lib/i18n/use-text.tsx";
import classes from "./ask.module.css";
import { FormMessage } from "./form-message.tsx";
import { Sheet } from "./sheet.tsx";
import { SubmitButton } from "./submit-button.tsx";

export interface AskProps {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  text: string;
  confirm: string;
  working: string;
  busy: boolean;
  bad: string | null;
  danger?: boolean;
  /** A choice that belongs to the question. */
  children?: React.ReactNode;
}

/** A question before something that hurts: it names the thing and what will be lost. */
export function Ask({
  opened,
  onClose,
  onConfirm,
  title,
  text,
  confirm,
  working,
  busy,
  bad,
  danger = false,
  children,
}: AskProps) {
  const { common } = useText();
  return (
    <Sheet opened={opened} onClose={onClose} title={title} small>
      <p className={classes.text}>{text}</p>
      {children}
      <FormMessage bad={bad} />
      <div className={classes.actions}>
        <Button variant="subtle" onClick={onClose} data-autofocus>
          {common.cancel}
        </Button>
        <SubmitButton
          type="button"
          size="sm"
          busy={busy}
          label={confirm}
          working={working}
          onClick={onConfirm}
          danger={danger}
        />
      </div>
    </Sheet>
  );
}

interface TellProps {
  onClose: () => void;
  title: string;
  understood: string;
  children: React.ReactNode;
}

/** Explains why something cannot be done, instead of asking. */
export const Tell = ({ onClose, title, understood, children }: TellProps) => (
  <Sheet
    opened
    onClose={onClose}
    title={title}
    small
    footer={
      <Button fullWidth onClick={onClose} data-autofocus>
        {understood}
      </Button>
    }
  >
    {children}
  </Sheet>
);
