import { BACKUP_PASSPHRASE_MIN } from "@krug/domain/backup-rules";
import { HOUR_MS } from "@krug/domain/moment";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { apiFile } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { saveFile } from "../../../lib/save-file.ts";
import "../../../ui/form.css";
import { clubNow } from "../../../lib/club-clock.ts";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useMaySave } from "../../../ui/use-may-save.ts";
import { CodeField, twoFactorQuery, useAttempt } from "../../access/two-factor/index.ts";
import { useViewed } from "../../club/staff/index.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

/** Asks for the passphrase twice, and for the two-factor code that the download requires. */
export function BackupDialog({ onClose }: { onClose: () => void }) {
  const { backup: words } = useSystemWords();
  const { account } = useText();
  const { me } = useViewed();
  const toast = useToast();
  const maySave = useMaySave();
  const status = useQuery(twoFactorQuery(me.id));
  const [phrase, setPhrase] = useState("");
  const [again, setAgain] = useState("");
  const [checked, setChecked] = useState(false);
  const tooShort = phrase.length < BACKUP_PASSPHRASE_MIN;
  const attempt = useAttempt({
    send: (token) =>
      apiFile("POST /admin/backup", { body: { passphrase: phrase, token }, timeoutMs: HOUR_MS }).then((file) =>
        saveFile(file, `krug-${new Date(clubNow()).toISOString().slice(0, 10)}.age`),
      ),
    onRight: () => {
      void toast("good", words.done);
      onClose();
    },
    lock: { seconds: status.data?.retryAfter ?? 0, at: status.dataUpdatedAt },
    failed: words.failed,
  });
  // The last digit submits too: a code is not spent on a passphrase that would be refused.
  const submit = async (typed?: string) => {
    setChecked(true);
    if (!tooShort && phrase === again && (await maySave())) attempt.submit(typed);
  };
  return (
    <FormSheet
      draft={null}
      title={words.dialog}
      onClose={onClose}
      submit={attempt.button(words.take, words.working)}
      onSubmit={() => submit()}
    >
      <p>{words.dialogLead}</p>
      <PasswordField
        data-autofocus
        label={words.phrase}
        description={account.passwordHint(BACKUP_PASSPHRASE_MIN)}
        autoComplete="new-password"
        // Its own username, so that it does not replace somebody's saved password.
        whose="backup"
        value={phrase}
        error={checked && tooShort ? words.tooShort(BACKUP_PASSPHRASE_MIN) : null}
        onChange={(event) => setPhrase(event.currentTarget.value)}
      />
      <PasswordField
        label={words.again}
        autoComplete="new-password"
        value={again}
        error={checked && !tooShort && phrase !== again ? words.differ : null}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      <CodeField attempt={{ ...attempt, submit }} label={words.code} labelShown autoFocus={false} />
      <p className={classes.hint}>{words.codeHint}</p>
    </FormSheet>
  );
}
