import type { Api } from "@krug/contract/api";
import { MOST_LETTERS } from "@krug/domain/catalog-rules";
import { PHONE_ADDRESS_LIMIT } from "@krug/domain/phone-limit";
import { MOST_SOURCES } from "@krug/domain/source-rules";
import { readSource } from "@krug/wireguard/list-source";
import { Checkbox, Textarea, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { Coming } from "../../../ui/coming.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useEditForm } from "../../../ui/use-edit-form.ts";
import { ExitField } from "../exits/index.ts";
import type { ReadList } from "./addresses.ts";
import classes from "./catalog.module.css";
import { Effect } from "./effect.tsx";
import { FitPhone } from "./fit-phone.tsx";
import { changedLook, isPicture, type Look, LookFields, lookOf } from "./look-fields.tsx";
import {
  CATALOG,
  type Device,
  type Entry,
  type Service,
  staffDnsQuery,
  staffServicesQuery,
  typedQuery,
} from "./queries.ts";
import { SourcesOf } from "./sources.tsx";
import { QUICK_LETTERS, type Reader, useReader, useReadList } from "./use-read-list.ts";
import { useCatalogWords } from "./words.ts";

interface Props {
  kind: Entry["kind"];
  /** null: a new one. */
  entry: Entry | null;
  /** What a member asked for in a ticket. */
  wished?: { name: string; ticketId: string | undefined };
  onClose: () => void;
}

/** An entry with its list as it was typed. */
type Typed = Entry & Partial<Api["GET /services/{id}/typed"]["answer"]>;

interface Form {
  name: string;
  ips: string;
  allBut: boolean;
  /** One per line. */
  sources: string;
  devices: readonly Device[];
  look: Look;
  exit: Service["exit"];
}

const formOf = (entry: Typed | null): Form => ({
  name: entry?.name ?? "",
  ips: entry?.text ?? entry?.ips.join(", ") ?? "",
  allBut: entry?.allBut ?? false,
  sources: entry?.sources?.join("\n") ?? "",
  devices: entry?.kind === "service" ? entry.deviceTypes : ["all"],
  look: lookOf(entry),
  exit: entry?.kind === "service" ? entry.exit : "direct",
});

const LETTERS_IN_A_ROW = 40;
/** How many rows a short text takes, about. */
const linesOf = (text: string) =>
  text
    .slice(0, QUICK_LETTERS)
    .split("\n")
    .reduce((sum, line) => sum + 1 + Math.floor(line.length / LETTERS_IN_A_ROW), 0);

const WHOLE = { 4: "0.0.0.0/0", 6: "::/0" } as const;

/** Wrong items that are named one by one; of more it is said that there are. */
const NAMED = 5;
const DEVICES: readonly Device[] = ["all", "computer", "phone"];

export function EntryDialog({ kind, entry, onClose, ...rest }: Props) {
  const typed = useQuery({ ...typedQuery(entry?.id ?? ""), enabled: kind === "service" && entry !== null, gcTime: 0 });
  if (kind === "dns" || entry === null) return <EntryForm kind={kind} entry={entry} onClose={onClose} {...rest} />;
  if (!typed.data) return <Coming trouble={typed.isError ? "failed" : null} onClose={onClose} />;
  return <EntryForm kind={kind} entry={{ ...entry, ...typed.data }} onClose={onClose} />;
}

/** A service or DNS entry: each address is checked, and the dialog says whom a change affects before it is saved. */
function EntryForm({ kind, entry, wished, onClose }: Props & { entry: Typed | null }) {
  const words = useCatalogWords();
  const { edit, devices } = words;
  const [shown, setShown] = useState(false);
  const isService = kind === "service";
  const read = useReader(kind);
  const problemsOf = ({ items, wrong, hasLines, tooMany, letters, count }: ReadList, hasSources: boolean) => [
    ...(count + wrong.length === 0 && !hasSources ? [edit.ipsEmpty] : []),
    ...(items.length === 0 && count > 0 ? [edit.nothingElse] : []),
    ...(letters > MOST_LETTERS ? [edit.tooLong(MOST_LETTERS)] : []),
    // With sources the panel counts: 'all but' may leave out more.
    ...(tooMany && !hasSources ? [edit.tooMany(tooMany.count, tooMany.most)] : []),
    ...wrong.slice(0, NAMED).map((each) => {
      const says = edit.wrong[isService ? "service" : "dns"][each.kind](each.text);
      return hasLines && each.line !== null ? edit.inLine(each.line, says) : says;
    }),
    ...(wrong.length > NAMED ? [words.andMore(wrong.length - NAMED)] : []),
  ];
  const sourceProblemsOf = (sources: readonly string[]) => [
    ...sources.filter((source) => readSource(source) === null).map(edit.wrongSource),
    ...(sources.length > MOST_SOURCES ? [edit.tooManySources(MOST_SOURCES)] : []),
  ];
  const { form, values, set, seen, conflict, ...editing } = useEditForm({
    row: entry,
    fieldsOf: (row) => ({ ...formOf(row), ...(row === null && wished ? { name: wished.name } : {}) }),
    problemsOf: ({ name, ips, allBut, ...rest }) => {
      const sources = sourcesIn(rest.sources);
      const wrongSources = sourceProblemsOf(sources);
      return {
        ...(name.trim() === "" ? { name: edit.nameEmpty } : {}),
        ...(isPicture(rest.look) ? {} : { look: edit.look.wrong }),
        ...(problemsOf(read(ips, allBut), sources.length > 0).length > 0 ? { ips: true } : {}),
        ...(wrongSources.length > 0 ? { sources: problemLines(wrongSources) } : {}),
      };
    },
    changeOf: (seen, fields) => changeOf(seen, wishOf(read, fields)),
    send: ({ service, dns = {} }): Promise<{ name: string }> => {
      const params = { id: entry?.id ?? "" };
      return service
        ? api("PUT /services/{id}", { params, body: service })
        : api("PUT /dns/{id}", { params, body: dns });
    },
    add: (fields) => {
      const { name, list, ips, sources, deviceTypes, look, exit } = wishOf(read, fields);
      const forTicket = wished?.ticketId === undefined ? {} : { ticketId: wished.ticketId };
      const filled = { ...list, ...(sources.length > 0 && { sources }), ...(exit !== "direct" && { exit }) };
      return isService
        ? api("POST /services", {
            body: { name, ...filled, deviceTypes, ...changedLook(lookOf(null), look), ...forTicket },
          })
        : api("POST /dns", { body: { name, ips } });
    },
    saved: ({ name }) => (entry === null ? edit.added(name) : edit.saved(name)),
    changes: CATALOG,
    lookAgain: async (_, seen, client) => {
      const fresh = await (isService ? client.fetchQuery(staffServicesQuery) : client.fetchQuery(staffDnsQuery));
      const now = fresh.find(({ id }) => id === seen.id);
      const typed = isService && now ? await client.fetchQuery(typedQuery(now.id)) : {};
      return { row: now ? ({ kind, ...now, ...typed } as Typed) : seen, conflict: true };
    },
    fieldOf: ({ code }) => {
      if (code.endsWith("name_taken")) return "name";
      if (code.startsWith("exit.")) return "exit";
      return code === "source.failed" ? "sources" : undefined;
    },
    onClose,
  });
  const list = useReadList(kind, read, values.ips, values.allBut);
  const sources = sourcesIn(values.sources);
  const hasSources = sources.length > 0;
  const problems = list === null ? [] : problemsOf(list, hasSources);
  const isSameText = seen !== null && values.ips === seen.text && values.allBut === seen.allBut;
  return (
    <EditSheet
      editing={editing}
      place={`${kind}.${entry?.id ?? "new"}`}
      title={entry === null ? (isService ? edit.newService : edit.newDns) : edit.title(entry.name)}
      onClose={onClose}
      onSubmit={() => {
        setShown(true);
        editing.save();
      }}
    >
      {conflict && seen && (
        <Conflict found={conflict} title={edit.conflict}>
          <p>{edit.now(seen.name, seen.ips.slice(0, NAMED).join(", "))}</p>
        </Conflict>
      )}
      <TextInput
        label={edit.name}
        {...form.getInputProps("name")}
        onChange={(event) => {
          set({ name: event.currentTarget.value });
          form.clearFieldError("name");
        }}
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      {isService && (
        <LookFields
          name={values.name}
          look={values.look}
          problem={form.errors.look}
          onChange={(look) => {
            set({ look });
            form.clearFieldError("look");
          }}
        />
      )}
      {isService && (
        <Segments
          label={edit.scope}
          value={values.allBut ? "rest" : "these"}
          onChange={(scope) => set({ allBut: scope === "rest" })}
          choices={[
            { value: "these", label: edit.these },
            { value: "rest", label: edit.allBut },
          ]}
        />
      )}
      <div>
        <Textarea
          label={isService ? edit.ips : edit.ipsDns}
          value={values.ips}
          onChange={(event) => set({ ips: event.currentTarget.value })}
          onBlur={() => setShown(values.ips.trim() !== "")}
          error={shown && problems.length > 0 ? problemLines(problems) : null}
          classNames={{ input: classes.ips ?? "" }}
          // A height that fits is measured again at each key, and of thousands of lines that takes half a second.
          rows={Math.min(12, Math.max(3, linesOf(values.ips)))}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <p className={classes.hint} aria-live="polite">
          {list === null ? edit.reading : <Count list={list} isService={isService} allBut={values.allBut} />}
        </p>
        {isService &&
          !hasSources &&
          problems.length === 0 &&
          list !== null &&
          list.items.length > PHONE_ADDRESS_LIMIT &&
          !isForComputers(values.devices) && (
            <FitPhone ips={list.items} onTake={(networks) => set({ ips: networks.join(", "), allBut: false })} />
          )}
        {list !== null && list.mergedToWhole.length > 0 && (
          <p className={classes.hint} role="status">
            {edit.wholeInternet(list.mergedToWhole.map((family) => WHOLE[family]).join(", "))}
          </p>
        )}
      </div>
      {isService && (
        <div>
          <Textarea
            label={edit.sources}
            {...form.getInputProps("sources")}
            onChange={(event) => {
              set({ sources: event.currentTarget.value });
              form.clearFieldError("sources");
            }}
            classNames={{ input: classes.ips ?? "" }}
            rows={Math.min(6, Math.max(3, linesOf(values.sources)))}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <p className={classes.hint}>{edit.sourcesMore}</p>
          {seen?.sources !== undefined && seen.sources.length > 0 && <SourcesOf id={seen.id} />}
        </div>
      )}
      {isService && (
        <fieldset className={classes.devices}>
          <legend>{edit.devices}</legend>
          {DEVICES.map((device) => (
            <Checkbox
              key={device}
              label={devices[device]}
              checked={values.devices.includes(device)}
              onChange={() => set({ devices: turned(values.devices, device) })}
            />
          ))}
        </fieldset>
      )}
      {isService && (
        <ExitField
          label={edit.exit}
          hint={edit.exitMore}
          value={values.exit}
          onChange={(exit) => {
            set({ exit });
            form.clearFieldError("exit");
          }}
          error={form.errors.exit}
        />
      )}
      {seen && list !== null && problems.length === 0 && (
        <Effect
          entry={seen}
          ips={list.items}
          {...(seen.sources !== undefined &&
            seen.sources.length > 0 && {
              text: isSameText ? null : { typed: values.ips, allBut: values.allBut },
            })}
        />
      )}
      <FormMessage error={editing.error} failed={edit.failed} reason />
    </EditSheet>
  );
}

/** How many addresses the list has, and what becomes of them. */
function Count({ list, isService, allBut }: { list: ReadList; isService: boolean; allBut: boolean }) {
  const { edit } = useCatalogWords();
  return (
    <>
      {edit.countOf(list.count, list.hasNetworks)}
      {allBut && `; ${edit.rest(list.networks)}`}
      {!allBut && list.networks < list.count && `; ${(list.isMerged ? edit.merged : edit.together)(list.networks)}`}
      {!isService && list.hasComments && `; ${edit.comments}`}
      {isService && (
        <span data-over={list.items.length > PHONE_ADDRESS_LIMIT || undefined}>
          {`; ${edit.phoneLimit(PHONE_ADDRESS_LIMIT)}`}
        </span>
      )}
    </>
  );
}

const sourcesIn = (text: string): string[] => text.split(/\s+/).filter((source) => source !== "");

const problemLines = (problems: readonly string[]) =>
  problems.map((problem) => (
    <span key={problem} className={classes.problem}>
      {problem}
    </span>
  ));

const isForComputers = (devices: readonly Device[]) => devices.length === 1 && devices[0] === "computer";

/** 'All' excludes the other devices, and choosing none means all (specification, operator's side 5). */
function turned(devices: readonly Device[], device: Device): readonly Device[] {
  if (device === "all") return ["all"];
  const others = devices.filter((one) => one !== "all" && one !== device);
  const next = devices.includes(device) ? others : [...others, device];
  return next.length === 0 ? ["all"] : next;
}

const wishOf = (read: Reader, { name, ips, allBut, devices, sources, look, exit }: Form) => ({
  look: { ...look, picture: look.picture.trim(), description: look.description.trim() },
  name: name.trim(),
  ips: read(ips, allBut).items,
  list: { typed: ips, ...(allBut ? { allBut } : {}) },
  sources: sourcesIn(sources),
  deviceTypes: [...devices],
  exit,
});

const isSame = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other);

/** Only what differs from what was seen, and with it what was seen; a service's devices go along with any change. */
function changeOf(
  seen: Typed,
  { deviceTypes, list, sources, look, exit, ...plain }: ReturnType<typeof wishOf>,
): { service?: Api["PUT /services/{id}"]["body"]; dns?: Api["PUT /dns/{id}"]["body"] } {
  const { name, ips } = seen;
  const renamed = plain.name === name ? {} : { name: plain.name };
  if (seen.kind === "dns") {
    const dns = { ...renamed, ...(isSame(plain.ips, ips) ? {} : { ips: plain.ips }) };
    return Object.keys(dns).length === 0 ? {} : { dns: { ...dns, expected: { name, ips } } };
  }
  const service = {
    ...renamed,
    ...(list.typed === seen.text && (list.allBut ?? false) === seen.allBut ? {} : list),
    // The panel asks for the password where they are named.
    ...(isSame(sources, seen.sources ?? []) ? {} : { sources }),
    ...changedLook(lookOf(seen), look),
    ...(exit === seen.exit ? {} : { exit }),
  };
  const devicesDiffer = !isSame([...seen.deviceTypes].sort(), [...deviceTypes].sort());
  if (Object.keys(service).length === 0 && !devicesDiffer) return {};
  const expected = {
    name,
    deviceTypes: seen.deviceTypes,
    ...changedLook(look, lookOf(seen)),
    ...(seen.mark === undefined ? {} : { typed: seen.mark }),
    ...(service.sources === undefined ? {} : { sources: seen.sources ?? [] }),
    ...(service.exit === undefined ? {} : { exit: seen.exit }),
  };
  return { service: { ...service, deviceTypes, expected } };
}
