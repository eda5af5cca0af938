import { Button, Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useForm } from "@mantine/form";
import { api } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useErrorsInLanguage } from "../../../lib/use-errors-in-language.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { SupportContact } from "../security-gate/index.ts";
import classes from "./lost-dialog.module.css";
import { useLostWords } from "./lost-words.ts";

interface Props {
  /** The login typed into the sign-in form. */
  username: string;
  onClose: () => void;
}

/** For those who cannot sign in because the device is lost: reports it to the club, which answers everybody the same (ADR 118). */
export function LostDialog({ username, onClose }: Props) {
  const words = useLostWords();
  const { account } = useText();
  const report = useCommand({
    mutationFn: (body: { username: string; withoutMessenger: boolean }) => api("POST /auth/lost-device", { body }),
  });
  const fields = useForm({
    mode: "uncontrolled",
    initialValues: { username, withoutMessenger: false },
    validate: { username: (value) => (value.trim() ? null : account.usernameMissing) },
  });
  useErrorsInLanguage(fields);
  const sent = (
    <>
      <SheetBody>
        <div className={classes.sent}>
          <p role="status">{words.sent}</p>
          <div>
            <p>{words.sentNext}</p>
            <SupportContact />
          </div>
        </div>
      </SheetBody>
      <SheetFooter>
        <Button fullWidth size="lg" onClick={onClose} data-autofocus>
          {words.done}
        </Button>
      </SheetFooter>
    </>
  );
  const form = (
    <FormParts
      draft={null}
      onClose={onClose}
      submit={{ label: words.send, working: words.sending, busy: report.isPending }}
      onSubmit={() => {
        if (fields.validate().hasErrors) return;
        const values = fields.getValues();
        report.mutate({ ...values, username: values.username.trim() });
      }}
    >
      <p>{words.lead}</p>
      <p>{words.cuts}</p>
      <TextInput
        label={account.username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        key={fields.key("username")}
        {...fields.getInputProps("username")}
      />
      <Checkbox
        label={words.withoutMessenger}
        description={words.withoutMessengerHint}
        key={fields.key("withoutMessenger")}
        {...fields.getInputProps("withoutMessenger", { type: "checkbox" })}
      />
      <FormMessage error={report.error} failed={words.failed} />
    </FormParts>
  );
  return (
    <Sheet
      onClose={onClose}
      title={report.isSuccess ? words.sentTitle : words.title}
      parts={report.isSuccess ? sent : form}
    />
  );
}
