import { type ApiScope, MOST_API_TOKEN_DAYS, MOST_API_TOKEN_NAME, scopesFor } from "@krug/domain/api-token-rules";
import { isStaff } from "@krug/domain/roles";
import { Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, Refusal } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf } from "../../../lib/use-draft.ts";
import { Choices } from "../../../ui/choices.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { ShownSecret } from "../../../ui/shown-secret.tsx";
import type { Me } from "../auth/index.ts";
import { apiTokensQuery } from "./queries.ts";
import { useApiTokenWords } from "./words.ts";

const DAYS = ["30", "90", String(MOST_API_TOKEN_DAYS)] as const;

interface Props {
  me: Me;
  onClose: () => void;
}

interface Wish {
  name: string;
  days: (typeof DAYS)[number];
  scopes: ApiScope[];
  password: string;
  code: string;
}

const BLANK: Wish = { name: "", days: "90", scopes: [], password: "", code: "" };

/** A new token: its rights and lifetime, confirmed by the password and for staff by a code. Then its text, shown only once. */
export function TokenDialog({ me, onClose }: Props) {
  const words = useApiTokenWords();
  const { dialog: say } = words;
  const { account } = useText();
  const queryClient = useQueryClient();
  /** Only if the session's own check has expired: it lasts as many seconds as the code does. */
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm<Wish>({
    initialValues: BLANK,
    validate: {
      name: (value) => (value.trim() === "" ? say.nameMissing : null),
      scopes: (value) => (value.length === 0 ? say.scopesMissing : null),
      password: (value) => (value === "" ? account.passwordMissing : null),
      code: (value) => (needsCode && !/^\d{6}$/.test(value.trim()) ? say.codeMissing : null),
    },
  });
  const make = useCommand({
    mutationFn: async ({ name, days, scopes, password, code }: Wish) => {
      await api("POST /auth/confirm-password", { body: { password } });
      if (needsCode) {
        const { valid } = await api("POST /totp/{id}/verify", { params: { id: me.id }, body: { token: code.trim() } });
        if (!valid) throw new Refusal(say.codeWrong);
      }
      return (await api("POST /api-tokens", { body: { name: name.trim(), scopes, days: Number(days) } })).token;
    },
    onError: (error) => {
      form.setFieldValue("code", "");
      if (error instanceof ApiError && error.code === "auth.two_factor_required") setNeedsCode(true);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey }),
  });
  if (make.data !== undefined) return <ShownSecret words={words.shown} secret={make.data} onDone={onClose} />;
  return (
    <FormSheet
      draft={draftOf("api-token.new", form.values, BLANK, form.setValues)}
      title={say.title}
      onClose={onClose}
      asksBeforeLoss
      submit={{ label: say.create, working: say.working, busy: make.isPending }}
      onSubmit={form.onSubmit((wish) => make.mutate(wish))}
    >
      <TextInput
        label={say.name}
        description={say.nameHint}
        maxLength={MOST_API_TOKEN_NAME}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Segments
        label={say.days}
        value={form.values.days}
        onChange={(days) => form.setFieldValue("days", days)}
        choices={DAYS.map((count) => ({ value: count, label: say.dayCount(Number(count)) }))}
      />
      <Choices label={say.scopes}>
        {scopesFor(me.role).map((scope) => (
          <Checkbox
            key={scope}
            label={words.scopes[scope]}
            checked={form.values.scopes.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              form.setFieldValue("scopes", (chosen) =>
                checked ? [...chosen, scope] : chosen.filter((one) => one !== scope),
              )
            }
          />
        ))}
        <FormMessage bad={typeof form.errors.scopes === "string" ? form.errors.scopes : null} />
      </Choices>
      <PasswordField
        label={say.password}
        autoComplete="current-password"
        whose={me.username}
        {...form.getInputProps("password")}
      />
      {needsCode && isStaff(me.role) && (
        <TextInput
          label={say.code}
          description={say.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          {...form.getInputProps("code")}
        />
      )}
      <FormMessage error={make.error} failed={say.failed} />
    </FormSheet>
  );
}
