import { Button } from "@mantine/core";
import type { Draft } from "../../../lib/use-draft.ts";
import { Banner } from "../../../ui/banner.tsx";
import { DraftOffer } from "../../../ui/draft-offer.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

interface Props {
  draft: Draft;
  /** Something differs from the panel's values. */
  isChanged: boolean;
  busy: boolean;
  bad: string | null;
  /** What somebody else has changed meanwhile: the field's name and its current value. */
  meanwhile: { field: string; value: string }[];
  onSave: () => void;
  onUndo: () => void;
  children: React.ReactNode;
}

/** A form of settings: it can be saved once something is changed, and shows what somebody else changed meanwhile. */
export function SettingsForm({ draft, isChanged, busy, bad, meanwhile, onSave, onUndo, children }: Props) {
  const { settings: words } = useSystemWords();
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !busy) onSave();
      }}
    >
      <DraftOffer draft={draft} isSending={busy} />
      {children}
      {meanwhile.length > 0 && (
        <Banner tone="move" live title={words.conflict}>
          {meanwhile.map(({ field, value }) => (
            <p key={field}>{words.nowIs(field, value)}</p>
          ))}
          <p>{words.conflictMore}</p>
        </Banner>
      )}
      <FormMessage bad={bad} />
      {isChanged && (
        <div className={classes.save}>
          <Button variant="subtle" onClick={onUndo}>
            {words.undo}
          </Button>
          <SubmitButton size="sm" busy={busy} label={words.save} working={words.saving} />
        </div>
      )}
    </form>
  );
}
