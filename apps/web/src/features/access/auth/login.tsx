import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, api, Refusal } from "../../../lib/api.ts";
import type { CodeTrouble } from "../../../lib/code.ts";
import { focusFirstError } from "../../../lib/focus-first-error.ts";
import type { Text } from "../../../lib/i18n/ru.ts";
import { useSpeech, useText } from "../../../lib/i18n/use-text.tsx";
import { successIsRead } from "../../../lib/success-is-read.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useErrorsInLanguage } from "../../../lib/use-errors-in-language.ts";
import { wayBack } from "../../../lib/way-back.ts";
import { Banner } from "../../../ui/banner.tsx";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Entrance, EntranceForm } from "../../../ui/entrance.tsx";
import "../../../ui/form.css";
import form from "../../../ui/form.module.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useDashboardAhead } from "../../../ui/use-dashboard-ahead.ts";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { maintenanceQuery } from "../maintenance/index.ts";
import { SupportContact } from "../security-gate/index.ts";
import { endedQuery, meQuery } from "./queries.ts";

/** Without the usual loading display of dialogs: it is larger than the form, and few need it. */
const LostDialog = lazyPart(() => import("./lost-dialog.tsx").then(({ LostDialog }) => LostDialog), LostTrouble, {
  ahead: false,
});

function LostTrouble({ trouble }: { trouble: CodeTrouble | null }) {
  const { failure } = useText();
  return <FormMessage bad={trouble && failure.silent} />;
}

interface Credentials {
  username: string;
  password: string;
}

export function Login() {
  const { text, language } = useSpeech();
  const { login, account, failure } = text;
  usePageTitle(login.title);
  const search: { to?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const maintenance = useQuery(maintenanceQuery).data ?? false;

  const ended = useQuery(endedQuery).data ?? null;
  const [isIn, setIsIn] = useState(false);
  /** The login of somebody who lost a device, while they report it. */
  const [losing, setLosing] = useState<string | null>(null);
  const entry = useCommand({
    /** Null: by a passkey. */
    mutationFn: (credentials: Credentials | null) =>
      credentials === null
        ? import("../../../lib/passkey.ts").then(({ signInByPasskey }) => signInByPasskey(language))
        : signIn(credentials, maintenance, text),
    onSuccess: async (user) => {
      setIsIn(true);
      await successIsRead();
      queryClient.setQueryData(endedQuery.queryKey, null);
      queryClient.setQueryData(meQuery.queryKey, user);
      void navigate({ href: wayBack(search.to), replace: true });
    },
  });
  const fields = useForm<Credentials>({
    mode: "uncontrolled",
    initialValues: { username: "", password: "" },
    validate: {
      username: (value) => (value.trim() ? null : account.usernameMissing),
      password: (value) => (value ? null : account.passwordMissing),
    },
  });
  useErrorsInLanguage(fields);
  const fetchAhead = useDashboardAhead();
  const busy = entry.isPending || entry.isSuccess;

  return (
    <Entrance page="form" you="taken">
      <EntranceForm
        title={login.title}
        // No welcome for somebody who was blocked.
        {...(ended === "blocked" ? {} : { lead: login.lead })}
        aside={
          <>
            <span>{login.newHere}</span>
            <DoorLink to="/register">{login.toRegister}</DoorLink>
          </>
        }
      >
        {ended !== null && !entry.isError && (
          <div className={form.banner}>
            <Banner tone="broken" title={ended === "blocked" ? failure.blocked : failure.ended} live>
              {ended === "blocked" && <SupportContact />}
            </Banner>
          </div>
        )}
        {maintenance && (
          <div className={form.banner}>
            <Banner tone="move" title={failure.maintenance} live />
          </div>
        )}
        <form
          className={form.fields}
          noValidate
          onSubmit={fields.onSubmit((values) => {
            if (!busy) entry.mutate({ ...values, username: values.username.trim() });
          }, focusFirstError(fields))}
          onFocus={fetchAhead}
        >
          <TextInput
            label={account.username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            key={fields.key("username")}
            {...fields.getInputProps("username")}
          />
          <PasswordField
            label={account.password}
            autoComplete="current-password"
            key={fields.key("password")}
            {...fields.getInputProps("password")}
          />
          <SubmitButton busy={busy} label={login.submit} working={login.working} />
          <Button
            variant="outline"
            className={form.passkey}
            onClick={() => {
              if (!busy) entry.mutate(null);
            }}
          >
            {login.byPasskey}
          </Button>
          <FormMessage
            error={entry.error}
            failed={login.failed}
            good={isIn ? login.success : null}
            more={isBlocked(entry.error, text) && <SupportContact />}
          />
          <div className={form.quiet}>
            <p>{login.forgot}</p>
            <SupportContact />
          </div>
          <Button
            variant="subtle"
            size="compact-sm"
            className={form.aside}
            onClick={() => setLosing(fields.getValues().username.trim())}
          >
            {login.lost}
          </Button>
        </form>
        {losing !== null && <LostDialog username={losing} onClose={() => setLosing(null)} />}
      </EntranceForm>
    </Entrance>
  );
}

/** By the panel's refusal, or by our own. */
const isBlocked = (error: Error | null, { failure }: Text) =>
  error instanceof ApiError ? error.code === "member.blocked" : error?.message === failure.blocked;

/** Signs in and returns the member. Our own refusals are a Refusal (specification, member's side 5 and 8). */
async function signIn(credentials: Credentials, maintenance: boolean, { login, failure }: Text) {
  if (maintenance) {
    const { isAdminOrModerator } = await api("POST /auth/check-role", { body: credentials });
    if (!isAdminOrModerator) throw new Refusal(failure.maintenance);
  }
  const { token, user } = await api("POST /auth/login", { body: credentials });
  if (!token) throw new Refusal(login.noToken);
  if (!user.isActive) throw new Refusal(failure.blocked);
  return user;
}
