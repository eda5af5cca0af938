import { Button } from "@mantine/core";
import { useEffect, useId, useRef, useState } from "react";
import { useLeaving } from "../lib/i18n/leaving.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import type { Draft } from "../lib/use-draft.ts";
import { Ask } from "./ask.tsx";
import "./form.css";
import classes from "./form-sheet.module.css";
import { lazyPart } from "./lazy.tsx";
import { Sheet, SheetActions, SheetBody, SheetFooter } from "./sheet.tsx";
import { SubmitButton } from "./submit-button.tsx";

/** Sheets without fields do not need it. */
const DraftOffer = lazyPart(() => import("./draft-offer.tsx").then(({ DraftOffer }) => DraftOffer));

interface PartsProps {
  onClose: () => void;
  /** null: the form's data has not loaded yet, and there is nothing to send. */
  submit: {
    label: string;
    working: string;
    busy: boolean;
    disabled?: boolean;
    /** It destroys something. */
    danger?: boolean;
  } | null;
  onSubmit: () => void;
  /** What a reload must not lose. null: nothing is typed here, or only secrets. */
  draft: Draft | null;
  /** The other button's label, if not 'Cancel'. */
  cancel?: string;
  /** Focuses 'Cancel': the question needs no typing. */
  cancelFirst?: boolean;
  /** What the change does, shown above the buttons. */
  effect?: React.ReactNode;
  children: React.ReactNode;
}

interface Props extends PartsProps {
  title: string;
  small?: boolean;
  /** Back, Escape or a tap outside asks first once something was entered. 'Cancel' does not. */
  asksBeforeLoss?: boolean;
}

/** A form in a dialog: its fields scroll, while its submit and cancel buttons stay in view. */
export function FormSheet({ title, small = false, asksBeforeLoss = false, ...parts }: Props) {
  const words = useLeaving();
  const [isTouched, setIsTouched] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const close = () => (asksBeforeLoss && isTouched ? setIsAsking(true) : parts.onClose());
  return (
    <>
      <Sheet
        onClose={close}
        title={title}
        small={small}
        parts={<FormParts {...parts} onTouched={() => setIsTouched(true)} />}
      />
      {isAsking && (
        <Ask
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            parts.draft?.drop();
            parts.onClose();
          }}
          title={words.title}
          text={words.text}
          confirm={words.leave}
          working={words.leave}
          busy={false}
          bad={null}
          danger
        />
      )}
    </>
  );
}

/** The same for a sheet that continues to another form. */
export function FormParts({
  onClose,
  submit,
  onSubmit,
  draft,
  onTouched,
  cancel,
  cancelFirst = false,
  effect,
  children,
}: PartsProps & { onTouched?: () => void }) {
  const { common } = useText();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  // After each rendering: the panel reports an error later than the form does.
  useEffect(() => {
    if (!isSent.current || submit?.busy) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (!wrong) return;
    isSent.current = false;
    wrong.focus();
  });
  const actions = (
    <SheetActions>
      <Button variant="subtle" size="lg" onClick={onClose} data-autofocus={cancelFirst || undefined}>
        {cancel ?? common.cancel}
      </Button>
      {submit && <SubmitButton form={formId} {...submit} />}
    </SheetActions>
  );
  return (
    <>
      <SheetBody>
        {submit === null ? (
          children
        ) : (
          <form
            id={formId}
            ref={form}
            className={classes.form}
            noValidate
            onChange={() => {
              isSent.current = false;
              onTouched?.();
            }}
            onSubmit={(event) => {
              event.preventDefault();
              if (submit.busy || submit.disabled) return;
              isSent.current = true;
              onSubmit();
            }}
          >
            {draft && <DraftOffer draft={draft} isSending={submit.busy} onGoOn={onTouched} />}
            {children}
          </form>
        )}
      </SheetBody>
      <SheetFooter>
        {effect ? (
          <div className={classes.foot}>
            {effect}
            {actions}
          </div>
        ) : (
          actions
        )}
      </SheetFooter>
    </>
  );
}
