import { mtuForPath } from "@krug/wireguard/path-mtu";
import { Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { useEditForm } from "../../../ui/use-edit-form.ts";
import { useViewed } from "../../club/staff/index.ts";
import { useExitText } from "../exits/index.ts";
import { allInterfacesQuery, type Interface, SERVERS, type Server } from "../servers/index.ts";
import { AmneziaFields } from "./amnezia-fields.tsx";
import { useAmneziaWords } from "./amneziawg-words.ts";
import {
  changeOf,
  enteredAt,
  type Field,
  type Form,
  fieldsOf,
  formOf,
  mtuOf,
  usualMtu,
  wrongFields,
} from "./interface-form.ts";
import classes from "./interfaces.module.css";
import { RoutingFields, routingProblem } from "./routing-fields.tsx";
import { useInterfacesWords } from "./words.ts";

interface Props {
  row: Interface;
  server: Server;
  onClose: () => void;
}

/** The form's field that shows a refusal of the panel. */
const FIELD_OF: Record<string, keyof Form> = {
  listenPort: "port",
  subnet: "subnet",
  ipv6: "ipv6",
  endpoint: "endpoint",
  mtu: "mtu",
  name: "name",
};

/** For a refusal that names a parameter, or how many devices it cuts off. */
function fieldOf(error: ApiError): keyof Form | undefined {
  const { code, details } = error;
  return (
    routingProblem(error)?.field ??
    (code === "interface.parameter_invalid" ? "amneziawg" : FIELD_OF[String(details.field)])
  );
}

/** An interface's port, subnet, endpoint, MTU and whether it is active. Shows the effect on devices before saving. */
export function EditDialog({ row, server, onClose }: Props) {
  const { edit: words, failures } = useInterfacesWords();
  const kinds = useAmneziaWords();
  /** How many devices would be cut off, as the panel last counted them. */
  const [silenced, setSilenced] = useState<number | null>(null);
  const edit = useEditWords();
  const { viewedRole } = useViewed();
  const wrong = {
    name: words.nameEmpty,
    port: words.portWrong,
    subnet: words.subnetWrong,
    endpoint: words.endpointWrong,
    mtu: words.mtuWrong,
    ipv6: "",
    isActive: "",
    takesNew: "",
    routing: "",
    restExit: "",
    exitDown: "",
    exitLink: "",
    amneziawg: kinds.wrong,
  };
  const { form, values, set, seen, conflict, ...editing } = useEditForm({
    row,
    fieldsOf: formOf,
    problemsOf: (fields, row) =>
      Object.fromEntries([...wrongFields(fields, row)].map((field) => [field, wrong[field]])),
    changeOf,
    send: (body) =>
      api("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
        params: { serverId: row.serverId, id: row.id },
        body: body.cutsOff === undefined ? body : { ...body, cutsOff: silenced ?? body.cutsOff },
      }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === "interface.cuts_off") setSilenced(Number(error.details.count));
        throw error;
      }),
    saved: () => edit.saved,
    changes: SERVERS,
    lookAgain: async (error, seen, client) => {
      const fresh = await client.fetchQuery(allInterfacesQuery(viewedRole));
      const fields = Array.isArray(error.details.fields) ? (error.details.fields as Field[]) : [];
      return { row: fresh.find(({ id }) => id === row.id) ?? seen, conflict: fields };
    },
    fieldOf,
    onClose,
  });
  const exitText = useExitText(conflict !== null);
  const change = changeOf(seen, values);
  const inherited = server.endpoint ?? server.defaultEndpoint;
  const moves = "endpoint" in change && (change.endpoint ?? inherited) !== (seen.endpoint ?? inherited);
  const usual = usualMtu(seen);
  const fits = mtuForPath(server.pathMtu, usual);
  const port = change.listenPort !== undefined;
  const makesOld = moves || port || change.mtu !== undefined || change.routing !== undefined;
  return (
    <EditSheet
      editing={editing}
      place={`interface.${row.id}`}
      title={words.title(row.name)}
      onClose={onClose}
      effect={
        <>
          {makesOld && seen.toDownload > 0 && (
            <Banner tone="move" live title={words.download(seen.toDownload)}>
              {port ? words.downloadPort : words.downloadMore}
              {change.routing === "server" && ` ${words.downloadOnce}`}
            </Banner>
          )}
          {change.cutsOff !== undefined && (silenced ?? change.cutsOff) > 0 && (
            <Banner tone="broken" live title={kinds.silences(silenced ?? change.cutsOff)}>
              {kinds.silencesMore}
            </Banner>
          )}
          {change.isActive === false && seen.configCount > 0 && (
            <Banner tone="move" live title={words.cut(seen.configCount)}>
              {words.cutMore}
            </Banner>
          )}
        </>
      }
    >
      {conflict && (
        <Conflict
          found={conflict}
          title={words.conflict}
          now={conflict.map((field) => spoken(field, seen, { ...words, ...edit }, exitText))}
        />
      )}
      <TextInput label={words.name} {...form.getInputProps("name")} autoComplete="off" maxLength={64} data-autofocus />
      <div className={classes.pair}>
        <TextInput label={words.port} inputMode="numeric" {...form.getInputProps("port")} autoComplete="off" />
        <TextInput
          label={words.mtu}
          description={fits === null ? words.mtuHint(usual) : words.mtuNarrow(server.pathMtu ?? 0, fits)}
          inputMode="numeric"
          placeholder={String(usual)}
          {...form.getInputProps("mtu")}
          autoComplete="off"
        />
      </div>
      <TextInput
        label={words.endpoint}
        description={words.endpointHint(inherited)}
        placeholder={inherited ?? ""}
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps("endpoint")}
        autoComplete="off"
      />
      <TextInput
        label={words.subnet}
        description={seen.configCount > 0 ? words.subnetFixed(seen.configCount) : words.subnetHint}
        spellCheck={false}
        {...form.getInputProps("subnet")}
        autoComplete="off"
        readOnly={seen.configCount > 0}
        data-fixed={seen.configCount > 0 || undefined}
      />
      <Checkbox
        label={words.ipv6}
        description={seen.configCount > 0 ? words.ipv6Fixed(seen.subnetV6) : words.ipv6Hint}
        {...form.getInputProps("ipv6", { type: "checkbox" })}
        disabled={seen.configCount > 0}
      />
      <Checkbox
        label={words.active}
        description={words.activeHint}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
      <Checkbox
        label={words.takesNew}
        description={words.takesNewHint}
        {...form.getInputProps("takesNew", { type: "checkbox" })}
      />
      <RoutingFields
        entryId={row.serverId}
        value={values}
        onChange={(change) => {
          set(change);
          for (const field of Object.keys(change)) form.clearFieldError(field);
        }}
        problems={form.errors}
      />
      {seen.amneziawg !== null && (
        <AmneziaFields
          version={seen.amneziawg.version}
          seen={enteredAt(seen)}
          now={{ texts: values.amneziawg, mtu: mtuOf(values) }}
          onChange={(amneziawg) => set({ amneziawg })}
        />
      )}
      <FormMessage bad={form.errors.amneziawg as string | undefined} />
      <FormMessage error={editing.error} failed={failures.update} reason />
    </EditSheet>
  );
}

type Words = ReturnType<typeof useInterfacesWords>["edit"] & ReturnType<typeof useEditWords>;

/** A field and its current value, for the notice that somebody else changed it. */
function spoken(
  field: Field,
  row: Interface,
  words: Words,
  exitText: ReturnType<typeof useExitText>,
): [string, string] {
  const value = fieldsOf(row)[field];
  if (field === "amneziawg")
    return [
      "AmneziaWG",
      Object.entries(fieldsOf(row).amneziawg)
        .map((each) => each.join(" = "))
        .join(", "),
    ];
  const label = { ...words, isActive: words.active, listenPort: words.port }[field];
  if (field === "routing") return [label, words.routings[row.routing]];
  if (field === "restExit" || field === "exitDown") return [label, exitText(row[field])];
  if (typeof value === "boolean") return [label, value ? words.yes : words.no];
  return [label, String(value ?? words.byDefault)];
}
