import { Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQueryClient } from "@tanstack/react-query";
import { type ApiError, api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useEditForm } from "../../lib/use-edit-form.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { allInterfacesQuery, type Interface, SERVERS, type Server } from "../servers/index.ts";
import { useViewed } from "../staff/index.ts";
import { changeOf, type Field, type Form, fieldsOf, formOf, wrongFields } from "./interface-form.ts";
import classes from "./interfaces.module.css";
import { useInterfacesWords } from "./words.ts";

interface Props {
  row: Interface;
  server: Server;
  onClose: () => void;
  onSaved: () => void;
}

/** The form's field in which a refusal of the panel is said. */
const FIELD_OF: Record<string, keyof Form> = {
  listenPort: "port",
  subnet: "subnet",
  ipv6: "ipv6",
  endpoint: "endpoint",
  mtu: "mtu",
  name: "name",
};

/** An interface's port, subnet, endpoint, MTU and whether it works; what that does to devices is told before it is saved. */
export function EditDialog({ row, server, onClose, onSaved }: Props) {
  const { edit: words, failures } = useInterfacesWords();
  const { failure } = useText();
  const { viewedRole } = useViewed();
  const toast = useToast();
  const queryClient = useQueryClient();
  const wrong = {
    name: words.nameEmpty,
    port: words.portWrong,
    subnet: words.subnetWrong,
    endpoint: words.endpointWrong,
    mtu: words.mtuWrong,
    ipv6: "",
    isActive: "",
    takesNew: "",
  };
  const { form, values, seen, conflict, ...saving } = useEditForm({
    row,
    fieldsOf: formOf,
    problemsOf: (fields) => Object.fromEntries([...wrongFields(fields)].map((field) => [field, wrong[field]])),
    changeOf,
    send: (body) =>
      api("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: { serverId: row.serverId, id: row.id }, body }),
    onSaved: () => {
      void toast("good", words.saved);
      onSaved();
    },
    onUnchanged: () => {
      void toast("good", words.nothingChanged);
      onClose();
    },
    lookAgain: async (error, seen) => {
      await queryClient.invalidateQueries({ queryKey: SERVERS });
      const fresh = await queryClient.fetchQuery(allInterfacesQuery(viewedRole));
      const fields = Array.isArray(error.details.fields) ? (error.details.fields as Field[]) : [];
      return { row: fresh.find(({ id }) => id === row.id) ?? seen, conflict: fields };
    },
    fieldOf: (error: ApiError) => FIELD_OF[String(error.details.field)],
  });
  const change = changeOf(seen, values);
  const inherited = server.endpoint ?? server.defaultEndpoint;
  const moves = "endpoint" in change && (change.endpoint ?? inherited) !== (seen.endpoint ?? inherited);
  const port = change.listenPort !== undefined;
  const makesOld = moves || port || change.mtu !== undefined;
  return (
    <FormSheet
      asksBeforeLoss
      title={words.title(row.name)}
      onClose={onClose}
      submit={{ label: words.save, working: words.saving, busy: saving.busy }}
      onSubmit={saving.save}
      effect={
        <>
          {makesOld && seen.toDownload > 0 && (
            <Banner tone="move" live title={words.download(seen.toDownload)}>
              {port ? words.downloadPort : words.downloadMore}
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
        <Banner tone="move" live title={words.conflict}>
          {conflict.map((field) => (
            <p key={field}>{words.changedTo(...spoken(field, seen, words))}</p>
          ))}
          <p>{words.conflictMore}</p>
        </Banner>
      )}
      <TextInput label={words.name} {...form.getInputProps("name")} autoComplete="off" maxLength={64} data-autofocus />
      <div className={classes.pair}>
        <TextInput label={words.port} inputMode="numeric" {...form.getInputProps("port")} autoComplete="off" />
        <TextInput
          label={words.mtu}
          description={words.mtuHint}
          inputMode="numeric"
          placeholder="1420"
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
      <FormMessage bad={saving.error && withReason(failures.update, saving.error, failure.silent)} />
    </FormSheet>
  );
}

type Words = ReturnType<typeof useInterfacesWords>["edit"];

/** A field and its current value, for the notice that somebody else changed it. */
function spoken(field: Field, row: Interface, words: Words): [string, string] {
  const value = fieldsOf(row)[field];
  const label = { ...words, isActive: words.active, listenPort: words.port }[field];
  if (typeof value === "boolean") return [label, value ? words.yes : words.no];
  return [label, String(value ?? words.byDefault)];
}
