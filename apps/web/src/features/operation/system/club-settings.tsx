import { NO_LIMIT } from "@krug/domain/config-rules";
import { DORMANT_LEAST_DAYS, isDormantAfter } from "@krug/domain/dormancy";
import type { Field } from "@krug/domain/fields/field";
import { CLUB_SETTINGS } from "@krug/domain/fields/settings";
import { QUOTA_ENDS, type QuotaEnd } from "@krug/domain/quota-rules";
import { MODERATOR_SWITCHES, type ModeratorSwitch } from "@krug/domain/staff-actions";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, explain } from "../../../lib/api.ts";
import { bytesOf, gigabytesOf, isGigabytes } from "../../../lib/gigabytes.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useEditing } from "../../../lib/use-editing.ts";
import { useNow } from "../../../lib/use-now.ts";
import { labelsOf } from "./setting-labels.ts";
import { type SystemWords, useSystemWords } from "./words.ts";
import "../../../ui/form.css";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { AskedPanel } from "./asked-panel.tsx";
import { type ClubSettings, settingsQuery } from "./queries.ts";
import { SettingsForm } from "./settings-form.tsx";
import classes from "./system.module.css";
import { useSoughtField } from "./use-sought-field.ts";

/** Whole numbers that are typed. */
const { clubTimeZone: _zone, newMemberQuotaBytes: _bytes, newMemberQuotaAtEnd: _end, ...NUMBERS } = CLUB_SETTINGS;
type Bounds = Pick<Field, "least" | "most">;
type NumberName = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as NumberName[];

/** As form fields: numbers as typed, traffic in gigabytes, no limit as null. */
type Fields = Record<NumberName | "newMemberQuotaBytes", string | null> &
  Pick<ClubSettings, ModeratorSwitch | "clubTimeZone" | "newMemberQuotaAtEnd">;
type Name = keyof Fields;

const fieldsOf = ({ fixedBy: _, ...club }: ClubSettings): Fields => ({
  ...club,
  ...(Object.fromEntries(NAMES.map((name) => [name, String(club[name])])) as Record<NumberName, string>),
  newMemberConfigLimit: club.newMemberConfigLimit === NO_LIMIT ? null : String(club.newMemberConfigLimit),
  newMemberQuotaBytes: club.newMemberQuotaBytes === null ? null : gigabytesOf(club.newMemberQuotaBytes),
});
function wishOf(field: string | boolean | null, name: Name) {
  if (name === "newMemberQuotaBytes") return typeof field === "string" ? bytesOf(field) : null;
  if (!(name in NUMBERS)) return field;
  return field === null ? NO_LIMIT : Number(field);
}
const pick = (fields: Fields, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, wishOf(fields[name], name)]));

export function ClubSettingsPanel() {
  const { settings: words } = useSystemWords();
  const query = useQuery(settingsQuery);
  return (
    <AskedPanel title={words.title} query={query} failed={words.failed}>
      {(club) => (
        <>
          <DoorLink to="/admin/$" params={{ _splat: "payments" }} search={{ set: "price" }}>
            {words.price}
          </DoorLink>
          <Form club={club} />
        </>
      )}
    </AskedPanel>
  );
}

function Form({ club }: { club: ClubSettings }) {
  const { settings: words } = useSystemWords();
  const { text } = useSpeech();
  const toast = useToast();
  const queryClient = useQueryClient();
  const current = useMemo(() => fieldsOf(club), [club]);
  const { form, values, set, changed, meanwhile, draft, reset } = useEditing(current);
  useSoughtField();
  const saving = useCommand({
    mutationFn: () =>
      api("PUT /admin/settings", { body: { ...pick(values, changed), expected: pick(current, changed) } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      reset();
      void toast("good", words.saved);
    },
    // Somebody else may have changed them: shows the current values next to what was typed.
    onError: () => queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  const save = () => {
    const wrong = NAMES.filter((name) => !isWhole(values[name], NUMBERS[name]));
    const { newMemberQuotaBytes: traffic } = values;
    const found = {
      ...Object.fromEntries(wrong.map((name) => [name, words.wholeNumber(NUMBERS[name])])),
      ...(changed.includes("newMemberQuotaBytes") && traffic !== null && !isGigabytes(traffic)
        ? { newMemberQuotaBytes: words.trafficWrong }
        : {}),
    };
    if (!wrong.includes("dormantAfterDays") && !isDormantAfter(Number(values.dormantAfterDays)))
      Object.assign(found, { dormantAfterDays: words.dormantWrong(DORMANT_LEAST_DAYS) });
    form.setErrors(found);
    if (Object.keys(found).length === 0) saving.mutate();
  };
  const labels = labelsOf(words);
  const typed = (name: NumberName | "newMemberQuotaBytes", hint: string) => ({
    name,
    label: labels[name],
    description: hint,
    inputMode: "numeric" as const,
    value: values[name] ?? "",
    error: form.errors[name],
    autoComplete: "off",
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => set({ [name]: event.currentTarget.value.trim() }),
  });
  return (
    <SettingsForm
      draft={draft("settings.club")}
      isChanged={changed.length > 0}
      busy={saving.isPending}
      bad={saving.error && changed.length > 0 ? explain(saving.error, words.saveFailed, text.failure.silent) : null}
      meanwhile={meanwhile.map((name) => ({ field: labels[name], value: shownValue(current[name], name, words) }))}
      onSave={save}
      onUndo={() => {
        reset();
        form.clearErrors();
        saving.reset();
      }}
    >
      <Zone
        value={values.clubTimeZone}
        onChange={(clubTimeZone) => set({ clubTimeZone })}
        fixedBy={club.fixedBy.clubTimeZone}
      />
      <TextInput {...typed("graceHours", words.graceHint)} />
      <TextInput {...typed("quietFrom", words.quietFromHint)} />
      <TextInput {...typed("quietUntil", words.quietUntilHint)} />
      <TextInput {...typed("dormantAfterDays", words.dormantHint)} />
      <TextInput {...typed("ownCodesPerMonth", words.codesHint)} />
      <TextInput {...typed("joinsPerAddressPerDay", words.joinsAddressHint)} />
      <TextInput {...typed("joinsPerCodePerDay", words.joinsCodeHint)} />
      <div>
        <TextInput
          {...typed("newMemberConfigLimit", words.limitHint)}
          disabled={values.newMemberConfigLimit === null}
        />
        <Checkbox
          style={{ marginTop: 8 }}
          label={words.noLimit}
          checked={values.newMemberConfigLimit === null}
          onChange={(event) =>
            set({ newMemberConfigLimit: event.currentTarget.checked ? null : (current.newMemberConfigLimit ?? "3") })
          }
        />
      </div>
      <div>
        <TextInput
          {...typed("newMemberQuotaBytes", words.trafficHint)}
          {...(values.newMemberQuotaBytes === null ? { name: undefined } : {})}
          inputMode="decimal"
          disabled={values.newMemberQuotaBytes === null}
        />
        <Checkbox
          style={{ marginTop: 8 }}
          // A link that names the setting leads to where it can be changed now.
          {...(values.newMemberQuotaBytes === null ? { name: "newMemberQuotaBytes" } : {})}
          label={words.anyTraffic}
          checked={values.newMemberQuotaBytes === null}
          onChange={(event) =>
            set({ newMemberQuotaBytes: event.currentTarget.checked ? null : (current.newMemberQuotaBytes ?? "") })
          }
        />
      </div>
      {values.newMemberQuotaBytes !== null && (
        <Segments
          label={words.trafficEnd}
          value={values.newMemberQuotaAtEnd}
          onChange={(newMemberQuotaAtEnd) =>
            // What is not shown must not be wrong.
            set({ newMemberQuotaAtEnd, newMemberQuotaSlowMbit: current.newMemberQuotaSlowMbit })
          }
          choices={QUOTA_ENDS.toReversed().map((end) => ({ value: end, label: words.trafficEnds[end] }))}
        />
      )}
      {values.newMemberQuotaBytes !== null && values.newMemberQuotaAtEnd === "slow" && (
        <TextInput {...typed("newMemberQuotaSlowMbit", words.trafficSlowHint)} />
      )}
      <fieldset className={classes.group}>
        <legend>{words.moderators}</legend>
        <p className={classes.hint}>{words.moderatorsHint}</p>
        {MODERATOR_SWITCHES.map((name) => (
          <Checkbox
            key={name}
            name={name}
            label={labels[name]}
            checked={values[name]}
            onChange={(event) => set({ [name]: event.currentTarget.checked })}
          />
        ))}
      </fieldset>
    </SettingsForm>
  );
}

interface ZoneProps {
  value: string;
  onChange: (zone: string) => void;
  /** The variable that sets it. */
  fixedBy: string | null;
}

function Zone({ value, onChange, fixedBy }: ZoneProps) {
  const { settings: words } = useSystemWords();
  const { language } = useSpeech();
  const nowMs = useNow(15_000);
  const zones = useMemo(() => [...new Set([value, ...Intl.supportedValuesOf("timeZone")])].sort(), [value]);
  const time = new Date(nowMs).toLocaleTimeString(language === "ru" ? "ru-RU" : "en-GB", {
    timeZone: value,
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <NativeSelect
      name="clubTimeZone"
      label={words.zone}
      description={fixedBy === null ? words.zoneHint(time) : `${words.fixed(fixedBy)} ${words.zoneHint(time)}`}
      value={value}
      disabled={fixedBy !== null}
      data={zones}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const isWhole = (typed: string | null, { least = 0, most = 0 }: Bounds) =>
  typed === null || (/^\d{1,6}$/.test(typed) && Number(typed) >= least && Number(typed) <= most);

function shownValue(value: Fields[Name], name: Name, words: SystemWords["settings"]): string {
  if (typeof value === "boolean") return value ? words.on : words.off;
  if (name === "newMemberQuotaAtEnd") return words.trafficEnds[value as QuotaEnd];
  return value ?? (name === "newMemberQuotaBytes" ? words.anyTraffic : words.noLimit);
}
