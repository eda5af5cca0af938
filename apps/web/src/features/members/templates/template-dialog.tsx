import { HIGHEST_CONFIG_LIMIT, NO_LIMIT } from "@krug/domain/config-rules";
import { fitsPhone } from "@krug/domain/phone-limit";
import { SLOW_MBIT } from "@krug/domain/speed-rules";
import { MOST_TEMPLATE_NAME_LETTERS } from "@krug/domain/template-rules";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { placeName } from "../../../lib/place-name.ts";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { changeOf } from "../../../lib/change-of.ts";
import { useSpeedWords } from "../../../lib/i18n/speed.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Choices } from "../../../ui/choices.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { LimitField } from "../../../ui/limit-field.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import {
  isQuotaWrong,
  isSlowWrong,
  QuotaFields,
  quotaFields,
  quotaOf,
  slowOf,
  type WishedQuota,
} from "../../../ui/quota-fields.tsx";
import { isSpeedWrong, SpeedField, speedFields, speedOf, type WishedSpeed } from "../../../ui/speed-field.tsx";
import { inList, useEditForm } from "../../../ui/use-edit-form.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { servicesQuery } from "../../vpn/configs/index.ts";
import { TEMPLATES } from "./key.ts";
import { interfacesQuery, type NewTemplate, type Template, type TemplateChange, templatesQuery } from "./queries.ts";
import { limitText, trafficText } from "./standing.ts";
import classes from "./templates.module.css";
import { useTemplatesWords } from "./words.ts";

interface Form extends WishedQuota, WishedSpeed {
  name: string;
  hasLimit: boolean;
  limit: string;
  services: readonly string[];
  /** Empty: the ordinary choice. */
  interfaceId: string;
  isDefault: boolean;
}

const formOf = (template: Template | null): Form => ({
  name: template?.name ?? "",
  hasLimit: template?.configLimit !== NO_LIMIT,
  limit: template === null ? "3" : template.configLimit === NO_LIMIT ? "" : String(template.configLimit),
  ...quotaFields(template ?? { quotaBytes: null, quotaAtEnd: "cut", quotaSlowMbit: SLOW_MBIT }),
  ...speedFields(template?.speedMbit ?? null),
  services: template?.services ?? [],
  interfaceId: template?.interfaceId ?? "",
  isDefault: template?.isDefault ?? false,
});

const wishOf = (form: Form, seen: Template | null): NewTemplate & Omit<Template, "id"> => ({
  name: form.name.trim(),
  services: [...form.services],
  interfaceId: form.interfaceId === "" ? null : form.interfaceId,
  configLimit: form.hasLimit ? Number(form.limit) : NO_LIMIT,
  quotaBytes: quotaOf(form),
  quotaAtEnd: form.quotaAtEnd,
  quotaSlowMbit: slowOf(form, seen?.quotaSlowMbit ?? SLOW_MBIT),
  speedMbit: speedOf(form),
  isDefault: form.isDefault,
});

interface Props {
  /** null: a new one. */
  template: Template | null;
  onClose: () => void;
}

/** What new members start with. */
export function TemplateDialog({ template, onClose }: Props) {
  const all = useTemplatesWords();
  const words = all.form;
  const edit = useEditWords();
  const speed = useSpeedWords();
  const { language } = useSpeech();
  const services = useQuery(servicesQuery);
  const interfaces = useQuery(interfacesQuery);
  const others = useQuery(templatesQuery).data?.filter(({ id }) => id !== template?.id);
  const { form, values, set, seen, conflict, ...editing } = useEditForm({
    row: template,
    fieldsOf: formOf,
    problemsOf: (fields, row) => ({
      ...(fields.name.trim() === "" ? { name: words.nameEmpty } : {}),
      ...(fields.hasLimit && !(/^\d+$/.test(fields.limit) && Number(fields.limit) <= HIGHEST_CONFIG_LIMIT)
        ? { limit: words.limitWrong }
        : {}),
      ...(isQuotaWrong(fields, formOf(row)) ? { gigabytes: words.quotaWrong } : {}),
      ...(isSlowWrong(fields) ? { slow: true } : {}),
      ...(isSpeedWrong(fields) ? { speed: true } : {}),
    }),
    changeOf: (seen, fields): TemplateChange => changeOf<Omit<Template, "id">>(seen, wishOf(fields, seen)),
    send: (change) => api("PUT /admin/templates/{id}", { params: { id: template?.id ?? "" }, body: change }),
    add: (fields) => api("POST /admin/templates", { body: wishOf(fields, null) }),
    saved: ({ name }) => words.saved(name),
    changes: TEMPLATES,
    lookAgain: inList((client) => client.fetchQuery(templatesQuery)),
    fieldOf: ({ code }) => (code === "template.name_taken" ? "name" : undefined),
    onClose,
  });
  const lists = [services, interfaces];
  const broken = lists.find(({ error }) => error);
  const ready = services.data && interfaces.data ? { services: services.data, interfaces: interfaces.data } : null;
  const usual = others?.find(({ isDefault }) => isDefault);
  const change = (part: Partial<Form>) => set({ ...values, ...part });
  const turn = (id: string) =>
    change({
      services: values.services.includes(id)
        ? values.services.filter((chosen) => chosen !== id)
        : [...values.services, id],
    });
  const chosen = ready?.services.filter(({ id }) => values.services.includes(id)) ?? [];
  const inWords = (now: Template): [string, string][] => [
    [words.name, now.name],
    [words.limit, limitText(now.configLimit, all)],
    [words.quota.gigabytes, trafficText(now.quotaBytes, all, language) ?? words.quota.noQuota],
    ...(now.quotaAtEnd === "slow" ? [[speed.slow, String(now.quotaSlowMbit)] as [string, string]] : []),
    [speed.label, String(now.speedMbit ?? speed.none)],
    [words.services, names(ready?.services, now.services) || edit.no],
    [words.interface, names(ready?.interfaces.map(withServer), [now.interfaceId ?? ""]) || words.interfaceAny],
    [words.isDefault, now.isDefault ? edit.yes : edit.no],
  ];
  return (
    <EditSheet
      editing={editing}
      place={`template.${template?.id ?? "new"}`}
      title={template === null ? words.addTitle : words.editTitle(template.name)}
      onClose={onClose}
      isWaiting={ready === null}
    >
      {broken && (
        <LoadFailed
          title={words.listsFailed}
          error={broken.error}
          onRetry={() => lists.forEach((list) => void list.refetch())}
        />
      )}
      {!ready && !broken && <Waiting room={420} />}
      {ready && (
        <>
          {conflict && <Conflict found={conflict} title={words.conflict} now={inWords(conflict)} />}
          <TextInput
            label={words.name}
            description={form.errors.name ? undefined : words.nameHint}
            {...form.getInputProps("name")}
            onChange={(event) => {
              change({ name: event.currentTarget.value });
              form.clearFieldError("name");
            }}
            maxLength={MOST_TEMPLATE_NAME_LETTERS}
            autoComplete="off"
            data-autofocus
          />
          <LimitField
            words={{ label: words.limit, none: words.noLimit }}
            isLimited={values.hasLimit}
            typed={values.limit}
            onLimit={(hasLimit) => change({ hasLimit })}
            onType={(limit) => change({ limit })}
            problem={form.errors.limit}
          />
          <QuotaFields
            value={values}
            onChange={change}
            problem={form.errors.gigabytes}
            isSlowWrong={Boolean(form.errors.slow)}
            words={words.quota}
          />
          <SpeedField value={values} onChange={change} isWrong={Boolean(form.errors.speed)} />
          <Choices label={words.services}>
            <p className={classes.lead}>{ready.services.length === 0 ? words.servicesNone : words.servicesHint}</p>
            {ready.services.map(({ id, name }) => (
              <Checkbox key={id} label={name} checked={values.services.includes(id)} onChange={() => turn(id)} />
            ))}
            <p className={classes.lead} aria-live="polite">
              {!fitsPhone(chosen) && words.phone}
            </p>
          </Choices>
          <NativeSelect
            label={words.interface}
            description={words.interfaceHint}
            rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
            data={[
              { value: "", label: words.interfaceAny },
              ...ready.interfaces.map(({ id, isActive, ...place }) => ({
                value: id,
                label: isActive ? placeName(place) : `${placeName(place)} (${words.inactive})`,
              })),
            ]}
            value={values.interfaceId}
            onChange={(event) => change({ interfaceId: event.currentTarget.value })}
          />
          <Checkbox
            label={words.isDefault}
            description={[
              words.isDefaultHint,
              usual && values.isDefault && !seen?.isDefault && words.isDefaultInstead(usual.name),
            ]
              .filter(Boolean)
              .join(" ")}
            checked={values.isDefault}
            onChange={(event) => change({ isDefault: event.currentTarget.checked })}
          />
          {template && <p className={classes.lead}>{words.keep}</p>}
          <FormMessage error={editing.error} failed={words.saveFailed} reason />
        </>
      )}
    </EditSheet>
  );
}

const names = (list: readonly { id: string; name: string }[] | undefined, ids: readonly string[]) =>
  (list ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(", ");

const withServer = ({ id, ...place }: { id: string; name: string; serverName: string }) => ({
  id,
  name: placeName(place),
});
