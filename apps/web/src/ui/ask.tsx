import { Button } from "@mantine/core";
import { useText } from "../lib/i18n/use-text.tsx";
import classes from "./ask.module.css";
import { FormMessage, type Problem } from "./form-message.tsx";
import { Sheet } from "./sheet.tsx";
import { SubmitButton } from "./submit-button.tsx";

export interface AskProps extends Problem {
  opened?: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  text: string;
  /** What is done once it is confirmed, and what the button and a failure say. */
  of?: { isPending: boolean; error: unknown };
  words?: { confirm: string; working: string; failed: string };
  confirm?: string;
  working?: string;
  busy?: boolean;
  danger?: boolean;
  /** A choice that belongs to the question. */
  children?: React.ReactNode;
}

/** A question before something that hurts: it names the thing and what will be lost. */
export function Ask({
  opened = true,
  onClose,
  onConfirm,
  title,
  text,
  of,
  words,
  confirm = words?.confirm ?? "",
  working = words?.working ?? "",
  busy = of?.isPending ?? false,
  danger = false,
  children,
  ...problem
}: AskProps) {
  const { common } = useText();
  return (
    <Sheet opened={opened} onClose={onClose} title={title} small>
      <p className={classes.text}>{text}</p>
      {children}
      <FormMessage error={of?.error} {...(words && { failed: words.failed })} {...problem} />
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
