import { MOST_PASSKEY_NAME } from "@krug/domain/passkey-rules";
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "../../../lib/api.ts";
import { usePasskeyWords } from "../../../lib/i18n/passkeys.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import type { Me } from "../auth/index.ts";
import { type Passkey, passkeysQuery } from "./queries.ts";

interface Props {
  onClose: () => void;
}

/** Does it, says so, and shows the new list. */
function useChange<Wish>(work: (wish: Wish) => Promise<unknown>, done: string, onDone: () => void) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useCommand({
    mutationFn: work,
    onSuccess: () => {
      onDone();
      void toast("good", done);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
}

const confirmPassword = (password: string) => api("POST /auth/confirm-password", { body: { password } });

const BLANK = { name: "", password: "" };

/** The password, then the device's own question. */
export function AddPasskey({ me, host, onClose }: Props & { me: Me; host: string }) {
  const words = usePasskeyWords();
  const { language } = useSpeech();
  const form = useForm({
    initialValues: BLANK,
    validate: { password: (value) => (value === "" ? words.passwordMissing : null) },
  });
  const adding = useChange(
    async ({ name, password }: typeof form.values) => {
      // Fetched together with the answer: browsers want the question soon after the press.
      const [{ addPasskey }] = await Promise.all([import("../../../lib/passkey.ts"), confirmPassword(password)]);
      await addPasskey(language, name.trim());
    },
    words.add.done,
    onClose,
  );
  return (
    <FormSheet
      draft={draftOf("passkey.new", form.values, BLANK, form.setValues)}
      title={words.add.title}
      onClose={onClose}
      submit={{ label: words.add.submit, working: words.add.working, busy: adding.isPending }}
      onSubmit={form.onSubmit((wish) => adding.mutate(wish))}
    >
      <p>{words.add.lead(host)}</p>
      <TextInput
        label={words.add.name}
        description={words.add.nameHint}
        maxLength={MOST_PASSKEY_NAME}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <PasswordField
        label={words.password}
        autoComplete="current-password"
        whose={me.username}
        {...form.getInputProps("password")}
      />
      <FormMessage error={adding.error} failed={words.add.failed} />
    </FormSheet>
  );
}

export function RenamePasskey({ passkey, onClose }: Props & { passkey: Passkey }) {
  const { renaming: words, add } = usePasskeyWords();
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: { name: (value) => (value.trim() === "" ? words.missing : null) },
  });
  const renaming = useChange(
    (name: string) => api("PUT /passkeys/{id}", { params: { id: passkey.id }, body: { name } }),
    words.done,
    onClose,
  );
  return (
    <FormSheet
      draft={draftOf(`passkey.${passkey.id}`, form.values, { name: passkey.name }, form.setValues)}
      small
      title={words.title}
      onClose={onClose}
      submit={{ label: words.submit, working: words.working, busy: renaming.isPending }}
      onSubmit={form.onSubmit(({ name }) => renaming.mutate(name.trim()))}
    >
      <TextInput label={add.name} maxLength={MOST_PASSKEY_NAME} data-autofocus {...form.getInputProps("name")} />
      <FormMessage error={renaming.error} failed={words.failed} />
    </FormSheet>
  );
}

/** Takes the password: whoever sits at an open page must not leave the owner with fewer ways in. */
export function RemovePasskey({
  me,
  passkey,
  onClose,
  onRemoved,
}: Props & { me: Me; passkey: Passkey; onRemoved: () => void }) {
  const words = usePasskeyWords();
  const { removing: say } = words;
  const form = useForm({
    initialValues: { password: "" },
    validate: { password: (value) => (value === "" ? words.passwordMissing : null) },
  });
  const removing = useChange(
    async (password: string) => {
      await confirmPassword(password);
      try {
        await api("DELETE /passkeys/{id}", { params: { id: passkey.id } });
      } catch (error) {
        // It was already removed, which is the wanted result.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    say.done,
    () => {
      onClose();
      onRemoved();
    },
  );
  return (
    <FormSheet
      draft={null}
      small
      title={say.title(passkey.name)}
      onClose={onClose}
      submit={{ label: words.remove, working: say.working, busy: removing.isPending, danger: true }}
      onSubmit={form.onSubmit(({ password }) => removing.mutate(password))}
    >
      <p>{say.lead}</p>
      <PasswordField
        label={words.password}
        autoComplete="current-password"
        whose={me.username}
        data-autofocus
        {...form.getInputProps("password")}
      />
      <FormMessage error={removing.error} failed={say.failed} />
    </FormSheet>
  );
}
