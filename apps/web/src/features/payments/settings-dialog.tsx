import { Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, explain } from "../../lib/api.ts";
import { useStaffPaymentsWords } from "../../lib/i18n/staff-payments.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import classes from "./staff-payments.module.css";
import { type PaymentSettings, settingsQuery } from "./staff-queries.ts";

const PRICE = /^\d{1,7}(\.\d{1,2})?$/;
const MOST_DETAILS_CHARACTERS = 2_000;

interface Form {
  price: string;
  currency: string;
  details: string;
}
type Problems = Partial<Record<keyof Form, string>>;

const formOf = ({ price, currency, details }: PaymentSettings): Form => ({ price: price ?? "", currency, details });

/** What a month costs and how members are told to pay. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { settings: words, loadFailed } = useStaffPaymentsWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const settings = useQuery({ ...settingsQuery, staleTime: 0 });
  const [typed, setTyped] = useState<Partial<Form>>({});
  const [problems, setProblems] = useState<Problems>({});
  const form = settings.data && { ...formOf(settings.data), ...typed };
  const type = (change: Partial<Form>) => setTyped({ ...typed, ...change });

  const saving = useMutation({
    // Only what was typed: what somebody else sets meanwhile stays.
    mutationFn: ({ price, currency, details }: Partial<Form>) =>
      api("PUT /admin/payments/settings", {
        body: {
          ...(price === undefined ? {} : { price: price === "" ? null : price }),
          ...(currency === undefined ? {} : { currency }),
          ...(details === undefined ? {} : { details }),
        },
      }),
    onSuccess: (after) => {
      queryClient.setQueryData(settingsQuery.queryKey, after);
      void queryClient.invalidateQueries({ queryKey: [settingsQuery.queryKey[0]] });
      void toast("good", words.saved);
      onClose();
    },
    onError: (error) => {
      const { field } = error instanceof ApiError ? error.details : {};
      if (field === "price") setProblems({ price: words.priceWrong });
      if (field === "currency") setProblems({ currency: words.currencyWrong });
    },
  });
  const save = () => {
    if (!form || saving.isPending) return;
    const price = form.price.trim().replace(",", ".");
    const currency = form.currency.trim().toUpperCase();
    const found: Problems = {
      ...(price === "" || (PRICE.test(price) && Number(price) > 0) ? {} : { price: words.priceWrong }),
      ...(/^[A-Z]{3}$/.test(currency) ? {} : { currency: words.currencyWrong }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    saving.mutate({
      ...(typed.price === undefined ? {} : { price }),
      ...(typed.currency === undefined ? {} : { currency }),
      ...(typed.details === undefined ? {} : { details: form.details }),
    });
  };
  const named = Object.keys(problems).length > 0;

  return (
    <FormSheet
      title={words.title}
      onClose={onClose}
      submit={form ? { label: words.save, working: words.saving, busy: saving.isPending } : null}
      onSubmit={save}
    >
      {settings.isError && (
        <LoadFailed title={loadFailed} error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      {settings.isPending && <Waiting room={200} />}
      {form && (
        <>
          <p>{words.lead}</p>
          <div className={classes.priceFields}>
            <TextInput
              label={words.price}
              description={words.priceHint}
              inputMode="decimal"
              value={form.price}
              onChange={(event) => type({ price: event.currentTarget.value })}
              error={problems.price}
              autoComplete="off"
              data-autofocus
            />
            <TextInput
              label={words.currency}
              description={words.currencyHint}
              value={form.currency}
              maxLength={3}
              onChange={(event) => type({ currency: event.currentTarget.value })}
              error={problems.currency}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
            />
          </div>
          <Textarea
            label={words.details}
            description={words.detailsHint}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={MOST_DETAILS_CHARACTERS}
            value={form.details}
            onChange={(event) => type({ details: event.currentTarget.value })}
          />
          <FormMessage bad={saving.error && !named ? explain(saving.error, words.failed, failure.silent) : null} />
        </>
      )}
    </FormSheet>
  );
}
