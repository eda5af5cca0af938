import { Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../lib/api.ts";
import { useInterfacesWords } from "../../lib/i18n/interfaces.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { allInterfacesQuery, type Interface, SERVERS, type Server } from "../servers/index.ts";
import { useViewed } from "../staff/index.ts";
import { changeOf, type Field, type Form, formOf, wrongFields } from "./interface-form.ts";
import classes from "./interfaces.module.css";

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
  const [seen, setSeen] = useState(row);
  const [form, setForm] = useState<Form>(() => formOf(row));
  const [problems, setProblems] = useState<Partial<Record<keyof Form, string>>>({});
  const [conflict, setConflict] = useState<readonly Field[] | null>(null);

  const saving = useMutation({
    mutationFn: (body: ReturnType<typeof changeOf>) =>
      api("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: { serverId: row.serverId, id: row.id }, body }),
    onSuccess: () => {
      void toast("good", words.saved);
      onSaved();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      const field = FIELD_OF[String(error.details.field)];
      if (field) setProblems({ [field]: error.message });
      if (error.code !== "interface.changed_meanwhile") return;
      await queryClient.invalidateQueries({ queryKey: SERVERS });
      const fresh = await queryClient.fetchQuery(allInterfacesQuery(viewedRole));
      // What stands there now has been seen from here on: saving again replaces it, and knowingly.
      setSeen(fresh.find(({ id }) => id === row.id) ?? seen);
      setConflict((Array.isArray(error.details.fields) ? error.details.fields : []) as Field[]);
    },
  });
  const wrong = {
    name: words.nameEmpty,
    port: words.portWrong,
    subnet: words.subnetWrong,
    endpoint: words.endpointWrong,
  };
  const save = () => {
    const found = Object.fromEntries(
      [...wrongFields(form)].map((field) => [field, { ...wrong, mtu: words.mtuWrong, isActive: "" }[field]]),
    );
    setProblems(found);
    if (Object.keys(found).length > 0 || saving.isPending) return;
    const change = changeOf(seen, form);
    if (Object.keys(change).length > 0) saving.mutate(change);
    else {
      void toast("good", words.nothingChanged);
      onClose();
    }
  };
  const text = (field: Exclude<keyof Form, "isActive">) => ({
    value: form[field],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setForm({ ...form, [field]: event.currentTarget.value }),
    error: problems[field],
    autoComplete: "off",
  });
  const change = changeOf(seen, form);
  const inherited = server.endpoint ?? server.defaultEndpoint;
  const moves = "endpoint" in change && (change.endpoint ?? inherited) !== (seen.endpoint ?? inherited);
  const port = change.listenPort !== undefined;
  const makesOld = moves || port || change.mtu !== undefined;
  const isTold = saving.error instanceof ApiError && FIELD_OF[String(saving.error.details.field)] !== undefined;
  const isConflict = saving.error instanceof ApiError && saving.error.code === "interface.changed_meanwhile";
  return (
    <FormSheet
      title={words.title(row.name)}
      onClose={onClose}
      submit={{ label: words.save, working: words.saving, busy: saving.isPending }}
      onSubmit={save}
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
      <TextInput label={words.name} {...text("name")} maxLength={64} data-autofocus />
      <div className={classes.pair}>
        <TextInput label={words.port} inputMode="numeric" {...text("port")} />
        <TextInput
          label={words.mtu}
          description={words.mtuHint}
          inputMode="numeric"
          placeholder="1420"
          {...text("mtu")}
        />
      </div>
      <TextInput
        label={words.endpoint}
        description={words.endpointHint(inherited)}
        placeholder={inherited ?? ""}
        autoCapitalize="none"
        spellCheck={false}
        {...text("endpoint")}
      />
      <TextInput
        label={words.subnet}
        description={seen.configCount > 0 ? words.subnetFixed(seen.configCount) : words.subnetHint}
        spellCheck={false}
        {...text("subnet")}
        readOnly={seen.configCount > 0}
        data-fixed={seen.configCount > 0 || undefined}
      />
      <Checkbox
        label={words.active}
        description={words.activeHint}
        checked={form.isActive}
        onChange={(event) => setForm({ ...form, isActive: event.currentTarget.checked })}
      />
      <FormMessage
        bad={saving.error && !isTold && !isConflict ? withReason(failures.update, saving.error, failure.silent) : null}
      />
    </FormSheet>
  );
}

type Words = ReturnType<typeof useInterfacesWords>["edit"];

/** A field and what stands in it now, for whoever is told that another one changed it. */
function spoken(field: Field, row: Interface, words: Words): [string, string] {
  if (field === "isActive") return [words.active, row.isActive ? words.yes : words.no];
  if (field === "listenPort") return [words.port, String(row.listenPort)];
  return [words[field], String(row[field] ?? words.byDefault)];
}
