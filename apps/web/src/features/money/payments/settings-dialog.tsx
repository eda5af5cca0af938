import { Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useEditing } from "../../../lib/use-editing.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { useStaffPaymentsWords } from "./staff-words.ts";
import "../../../ui/form.css";
import { Question } from "../../../ui/choices.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import classes from "./staff-payments.module.css";
import { type PaymentSettings, settingsQuery } from "./staff-queries.ts";

const PRICE = /^\d{1,7}(\.\d{1,2})?$/;
const MOST_DETAILS_CHARACTERS = 2_000;

/** For several months at once. */
const SEVERAL = ["price3", "price6", "price12"] as const;
const PRICES = ["price", ...SEVERAL] as const;
type Prices<Value> = Record<(typeof PRICES)[number], Value>;

type Form = Record<keyof PaymentSettings, string>;

const eachPrice = <Value,>(value: (name: (typeof PRICES)[number]) => Value) =>
  Object.fromEntries(PRICES.map((name) => [name, value(name)])) as Prices<Value>;

const formOf = ({ currency, details, ...prices }: PaymentSettings): Form => ({
  ...eachPrice((name) => prices[name] ?? ""),
  currency,
  details,
});

/** In the format that the panel accepts. */
const valuesOf = ({ currency, details, ...prices }: Form): PaymentSettings => ({
  ...eachPrice((name) => prices[name].trim().replace(",", ".") || null),
  currency: currency.trim().toUpperCase(),
  details,
});
const isPrice = (written: string | null) => written === null || (PRICE.test(written) && Number(written) > 0);
const only = (form: Form, names: readonly (keyof Form)[]): Partial<PaymentSettings> => {
  const values = valuesOf(form);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
};

/** The price of a month and the payment instructions for members. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { settings: words, loadFailed } = useStaffPaymentsWords();
  const settings = useQuery({ ...settingsQuery, staleTime: 0 });
  return (
    <Sheet
      onClose={onClose}
      title={words.title}
      parts={settings.data && <SettingsForm settings={settings.data} onClose={onClose} />}
    >
      <Loading of={settings} failed={loadFailed} room={200} />
    </Sheet>
  );
}

function SettingsForm({ settings, onClose }: { settings: PaymentSettings; onClose: () => void }) {
  const { settings: words } = useStaffPaymentsWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const current = useMemo(() => formOf(settings), [settings]);
  const { form, values, changed, meanwhile, draft } = useEditing(current);

  const saving = useCommand({
    // Only changed fields, with what was seen of them: somebody else's change is not undone unknowingly.
    mutationFn: () =>
      api("PUT /admin/payments/settings", {
        body: { ...only(values, changed), expected: only(current, changed) },
      }),
    onSuccess: (after) => {
      queryClient.setQueryData(settingsQuery.queryKey, after);
      void queryClient.invalidateQueries({ queryKey: [settingsQuery.queryKey[0]] });
      void toast("good", words.saved);
      onClose();
    },
    onError: (error) => {
      const { field } = error instanceof ApiError ? error.details : {};
      if (PRICES.some((name) => name === field)) form.setErrors({ [String(field)]: words.priceWrong });
      if (field === "currency") form.setErrors({ currency: words.currencyWrong });
      return queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    },
  });
  const save = () => {
    if (saving.isPending) return;
    const { currency, ...sent } = valuesOf(values);
    const found = {
      ...Object.fromEntries(PRICES.filter((name) => !isPrice(sent[name])).map((name) => [name, words.priceWrong])),
      ...(/^[A-Z]{3}$/.test(currency) ? {} : { currency: words.currencyWrong }),
    };
    form.setErrors(found);
    if (Object.keys(found).length === 0) saving.mutate();
  };
  const isTold = Object.keys(form.errors).length > 0 || meanwhile.length > 0;

  return (
    <FormParts
      draft={draft("settings.payments")}
      onClose={onClose}
      submit={{ label: words.save, working: words.saving, busy: saving.isPending }}
      onSubmit={save}
    >
      <p>{words.lead}</p>
      <div className={classes.priceFields}>
        <TextInput
          label={words.price}
          description={words.priceHint}
          inputMode="decimal"
          {...form.getInputProps("price")}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={words.currency}
          description={words.currencyHint}
          maxLength={3}
          {...form.getInputProps("currency")}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </div>
      <Question label={words.several} className={classes.several}>
        <div>
          {SEVERAL.map((name) => (
            <TextInput
              key={name}
              label={words[name]}
              inputMode="decimal"
              {...form.getInputProps(name)}
              autoComplete="off"
            />
          ))}
        </div>
        <p className={classes.quiet}>{words.severalHint}</p>
      </Question>
      <Textarea
        label={words.details}
        description={words.detailsHint}
        autosize
        minRows={4}
        maxRows={12}
        maxLength={MOST_DETAILS_CHARACTERS}
        {...form.getInputProps("details")}
      />
      {meanwhile.length > 0 && (
        <Banner tone="move" live title={words.conflict}>
          {meanwhile.map((name) => (
            <p key={name}>{words.nowIs(words[name], current[name] || words.empty)}</p>
          ))}
          <p>{words.conflictMore}</p>
        </Banner>
      )}
      <FormMessage error={!isTold && saving.error} failed={words.failed} />
    </FormParts>
  );
}
