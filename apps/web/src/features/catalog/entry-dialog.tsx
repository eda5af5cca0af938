import { PHONE_ADDRESS_LIMIT } from "@krug/domain/phone-limit";
import { Checkbox, Textarea, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../lib/api.ts";
import { useCatalogWords } from "../../lib/i18n/catalog.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { countOf, itemsOf, MOST_ADDRESSES, wrongItems } from "./addresses.ts";
import classes from "./catalog.module.css";
import { Effect } from "./effect.tsx";
import { CATALOG, type Device, type Entry, staffDnsQuery, staffServicesQuery } from "./queries.ts";

interface Props {
  kind: Entry["kind"];
  /** null: a new one. */
  entry: Entry | null;
  onClose: () => void;
}

interface Form {
  name: string;
  ips: string;
  devices: readonly Device[];
}

const formOf = (entry: Entry | null): Form => ({
  name: entry?.name ?? "",
  ips: entry?.ips.join(", ") ?? "",
  devices: entry?.kind === "service" ? entry.deviceTypes : ["all"],
});

/** Wrong items that are named one by one; of more it is said that there are. */
const NAMED = 5;
const DEVICES: readonly Device[] = ["all", "computer", "phone"];

/** A service or DNS entry: its addresses are judged one by one, and whom a change touches is told before it is saved. */
export function EntryDialog({ kind, entry, onClose }: Props) {
  const words = useCatalogWords();
  const { edit, devices } = words;
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [seen, setSeen] = useState(entry);
  const [form, setForm] = useState<Form>(() => formOf(entry));
  const [nameProblem, setNameProblem] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const [conflict, setConflict] = useState(false);
  const isService = kind === "service";
  const items = itemsOf(form.ips);
  const wrong = wrongItems(kind, items);
  const count = countOf(kind, items);
  const problems = [
    ...(items.length === 0 ? [edit.ipsEmpty] : []),
    ...(count > MOST_ADDRESSES[kind] ? [edit.tooMany(MOST_ADDRESSES[kind])] : []),
    ...wrong.slice(0, NAMED).map(isService ? edit.network : edit.address),
    ...(wrong.length > NAMED ? [words.andMore(wrong.length - NAMED)] : []),
  ];

  const saving = useMutation({
    mutationFn: () => save(kind, seen, { name: form.name.trim(), ips: items, deviceTypes: [...form.devices] }),
    onSuccess: ({ name }) => {
      void toast("good", seen === null ? edit.added(name) : edit.saved(name));
      void queryClient.invalidateQueries({ queryKey: CATALOG });
      onClose();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.code.endsWith("name_taken")) setNameProblem(error.message);
      if (!error.code.endsWith("changed_meanwhile")) return;
      await queryClient.invalidateQueries({ queryKey: CATALOG });
      // What stands there now has been seen from here on: saving again replaces it, and knowingly.
      const fresh = await (isService
        ? queryClient.fetchQuery(staffServicesQuery)
        : queryClient.fetchQuery(staffDnsQuery));
      const now = fresh.find(({ id }) => id === seen?.id);
      if (now) setSeen({ kind, ...now } as Entry);
      setConflict(true);
    },
  });
  const submit = () => {
    setShown(true);
    setNameProblem(form.name.trim() === "" ? edit.nameEmpty : null);
    if (form.name.trim() === "" || problems.length > 0 || saving.isPending) return;
    if (seen !== null && isSame(seen, form, items)) {
      void toast("good", edit.nothingChanged);
      onClose();
    } else saving.mutate();
  };
  const isTold = saving.error instanceof ApiError && /name_taken|changed_meanwhile/.test(saving.error.code);
  return (
    <FormSheet
      title={entry === null ? (isService ? edit.newService : edit.newDns) : edit.title(entry.name)}
      onClose={onClose}
      submit={{ label: edit.save, working: edit.saving, busy: saving.isPending }}
      onSubmit={submit}
    >
      {conflict && seen && (
        <Banner tone="move" live title={edit.conflict}>
          <p>{edit.now(seen.name, seen.ips.slice(0, NAMED).join(", "))}</p>
          <p>{edit.conflictMore}</p>
        </Banner>
      )}
      <TextInput
        label={edit.name}
        value={form.name}
        onChange={(event) => {
          setForm({ ...form, name: event.currentTarget.value });
          setNameProblem(null);
        }}
        error={nameProblem}
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <div>
        <Textarea
          label={isService ? edit.ips : edit.ipsDns}
          value={form.ips}
          onChange={(event) => setForm({ ...form, ips: event.currentTarget.value })}
          onBlur={() => setShown(form.ips.trim() !== "")}
          error={
            shown && problems.length > 0
              ? problems.map((problem) => (
                  <span key={problem} className={classes.problem}>
                    {problem}
                  </span>
                ))
              : null
          }
          classNames={{ input: classes.ips ?? "" }}
          autosize
          minRows={3}
          maxRows={12}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <p className={classes.hint} aria-live="polite">
          {edit.countOf(count)}
          {isService && (
            <span data-over={count > PHONE_ADDRESS_LIMIT || undefined}>
              {`; ${edit.phoneLimit(PHONE_ADDRESS_LIMIT)}`}
            </span>
          )}
        </p>
      </div>
      {isService && (
        <fieldset className={classes.devices}>
          <legend>{edit.devices}</legend>
          {DEVICES.map((device) => (
            <Checkbox
              key={device}
              label={devices[device]}
              checked={form.devices.includes(device)}
              onChange={() => setForm({ ...form, devices: turned(form.devices, device) })}
            />
          ))}
        </fieldset>
      )}
      {seen && problems.length === 0 && <Effect entry={seen} ips={items} />}
      <FormMessage bad={saving.error && !isTold ? withReason(edit.failed, saving.error, failure.silent) : null} />
    </FormSheet>
  );
}

/** 'All' is no device beside others, and without any it is all (admin-side, section 5). */
function turned(devices: readonly Device[], device: Device): readonly Device[] {
  if (device === "all") return ["all"];
  const others = devices.filter((one) => one !== "all" && one !== device);
  const next = devices.includes(device) ? others : [...others, device];
  return next.length === 0 ? ["all"] : next;
}

const isSame = (entry: Entry, form: Form, items: readonly string[]) =>
  entry.name === form.name.trim() &&
  JSON.stringify(entry.ips) === JSON.stringify(items) &&
  (entry.kind === "dns" || JSON.stringify([...entry.deviceTypes].sort()) === JSON.stringify([...form.devices].sort()));

interface Wished {
  name: string;
  ips: string[];
  deviceTypes: Device[];
}

/** Sends a new entry whole, of a change what differs from what was seen, and with it what was seen. */
function save(kind: Entry["kind"], seen: Entry | null, wished: Wished): Promise<{ name: string }> {
  const { deviceTypes, ...plain } = wished;
  if (seen === null)
    return kind === "service" ? api("POST /services", { body: wished }) : api("POST /dns", { body: plain });
  const { name, ips } = seen;
  const changed = {
    ...(plain.name === name ? {} : { name: plain.name }),
    ...(JSON.stringify(plain.ips) === JSON.stringify(ips) ? {} : { ips: plain.ips }),
  };
  const params = { id: seen.id };
  if (seen.kind === "dns") return api("PUT /dns/{id}", { params, body: { ...changed, expected: { name, ips } } });
  const expected = { name, ips, deviceTypes: seen.deviceTypes };
  return api("PUT /services/{id}", { params, body: { ...changed, deviceTypes, expected } });
}
