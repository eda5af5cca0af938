import { isMirrorAddress } from "@krug/domain/mirror-address";
import { readNetworkList } from "@krug/wireguard/network-list";
import { Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError, api, explain } from "../../../lib/api.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useEditing } from "../../../lib/use-editing.ts";
import { useSystemWords } from "./words.ts";
import "../../../ui/form.css";
import { useToast } from "../../../ui/toasts.tsx";
import { AskedPanel } from "./asked-panel.tsx";
import { type GateSettings, gateSettingsQuery } from "./queries.ts";
import { SettingsForm } from "./settings-form.tsx";
import classes from "./system.module.css";
import { useSoughtField } from "./use-sought-field.ts";

/** As form fields. */
interface Fields {
  blockedCountries: string;
  exceptions: string;
  supportContact: string;
  mirrorUrl: string;
}
type Name = keyof Fields;

const fieldsOf = ({ blockedCountries, exceptions, supportContact, mirrorUrl }: GateSettings): Fields => ({
  blockedCountries: blockedCountries.join(", "),
  exceptions: exceptions.join("\n"),
  supportContact: supportContact ?? "",
  mirrorUrl: mirrorUrl ?? "",
});
const listed = (text: string) => text.split(/[\s,;]+/).filter((item) => item !== "");
const valuesOf = (fields: Fields, names: readonly Name[]) => ({
  ...(names.includes("blockedCountries")
    ? { blockedCountries: listed(fields.blockedCountries).map((code) => code.toUpperCase()) }
    : {}),
  ...(names.includes("exceptions")
    ? { exceptions: readNetworkList(fields.exceptions).items.map(({ text }) => text) }
    : {}),
  ...(names.includes("supportContact") ? { supportContact: fields.supportContact.trim() || null } : {}),
  ...(names.includes("mirrorUrl") ? { mirrorUrl: fields.mirrorUrl.trim() || null } : {}),
});

export function GateSettingsPanel() {
  const { gate: words, settings } = useSystemWords();
  const query = useQuery(gateSettingsQuery);
  return (
    <AskedPanel title={words.title} query={query} failed={settings.failed}>
      {(gate) => <Form gate={gate} />}
    </AskedPanel>
  );
}

function Form({ gate }: { gate: GateSettings }) {
  const { gate: words, settings, state } = useSystemWords();
  const { text, language } = useSpeech();
  const toast = useToast();
  const queryClient = useQueryClient();
  const current = useMemo(() => fieldsOf(gate), [gate]);
  const { form, values, changed, meanwhile, draft, reset } = useEditing(current);
  useSoughtField();
  const saving = useCommand({
    mutationFn: () =>
      api("PUT /admin/security", { body: { ...valuesOf(values, changed), expected: valuesOf(current, changed) } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(gateSettingsQuery.queryKey, saved);
      reset();
      void toast("good", settings.saved);
    },
    onError: () => queryClient.invalidateQueries({ queryKey: gateSettingsQuery.queryKey }),
  });
  const save = () => {
    const wrong = listed(values.blockedCountries).filter((code) => countryName(code, language) === null);
    const { unread } = readNetworkList(values.exceptions);
    const mirror = values.mirrorUrl.trim();
    const errors = {
      ...(wrong.length > 0 && { blockedCountries: words.countriesWrong(wrong.join(", ")) }),
      ...(unread.length > 0 && { exceptions: words.exceptionsWrong(unread.map((each) => each.text).join(", ")) }),
      ...(mirror !== "" && !isMirrorAddress(mirror) && { mirrorUrl: words.mirrorWrong }),
    };
    form.setErrors(errors);
    if (Object.keys(errors).length === 0) saving.mutate();
  };
  const problem =
    saving.error && changed.length > 0 ? explain(saving.error, settings.saveFailed, text.failure.silent) : null;
  const isExceptions = saving.error instanceof ApiError && saving.error.code === "security.exception_invalid";
  const labels: Record<Name, string> = {
    blockedCountries: words.countries,
    exceptions: words.exceptions,
    supportContact: words.support,
    mirrorUrl: words.mirror,
  };
  const countries = listed(values.blockedCountries).flatMap((code) => countryName(code, language) ?? []);
  return (
    <SettingsForm
      draft={draft("settings.gate")}
      isChanged={changed.length > 0}
      busy={saving.isPending}
      bad={isExceptions ? null : problem}
      meanwhile={meanwhile.map((name) => ({ field: labels[name], value: current[name] || settings.empty }))}
      onSave={save}
      onUndo={() => {
        reset();
        form.clearErrors();
        saving.reset();
      }}
    >
      <p className={classes.hint}>{gate.enabled ? words.lead : `${words.title} ${state.gateOff}.`}</p>
      <TextInput
        name="blockedCountries"
        label={words.countries}
        description={countries.length > 0 ? countries.join(", ") : words.countriesHint}
        {...form.getInputProps("blockedCountries")}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
      <Textarea
        name="exceptions"
        label={words.exceptions}
        description={words.exceptionsHint}
        {...form.getInputProps("exceptions")}
        error={isExceptions ? problem : form.errors.exceptions}
        rows={Math.min(8, Math.max(2, values.exceptions.split("\n").length))}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="supportContact"
        label={words.support}
        description={words.supportHint}
        {...form.getInputProps("supportContact")}
        maxLength={200}
        autoComplete="off"
      />
      <TextInput
        name="mirrorUrl"
        label={words.mirror}
        description={words.mirrorHint}
        {...form.getInputProps("mirrorUrl")}
        maxLength={200}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
    </SettingsForm>
  );
}

/** Null: no such country. */
function countryName(code: string, language: Language): string | null {
  if (!/^[a-z]{2}$/i.test(code)) return null;
  return new Intl.DisplayNames(language, { type: "region", fallback: "none" }).of(code.toUpperCase()) ?? null;
}
