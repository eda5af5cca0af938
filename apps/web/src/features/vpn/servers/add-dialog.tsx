import { Checkbox, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useEditing } from "../../../lib/use-editing.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { CredentialInputs } from "./credential-inputs.tsx";
import { type CredentialFields, credentialProblems, credentialsOf } from "./credentials.ts";
import { SERVERS, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

interface Fields extends CredentialFields {
  name: string;
  way: "password" | "key";
  /** null: whichever fits the machine. */
  place: "docker" | "system" | null;
  isMain: boolean;
  fingerprint: string;
}

const BLANK: Fields = {
  name: "",
  host: "",
  port: "22",
  username: "root",
  way: "password",
  password: "",
  place: null,
  isMain: false,
  fingerprint: "",
};
/** In OpenSSH's format. */
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

/** Adds a machine that is reached over SSH. The panel connects to it before it answers (specification, operator's side 2). */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (server: Server) => void }) {
  const all = useServersWords();
  const { add: words } = all;
  const toast = useToast();
  const queryClient = useQueryClient();
  const { form, values, set, draft } = useEditing<Fields>(BLANK);
  const sent = useRef<{ said: string; key: string } | null>(null);
  const adding = useCommand({
    mutationFn: () => {
      const { password, ...place } = credentialsOf(values);
      const body = {
        name: values.name.trim(),
        credentials: { ...place, ...(values.way === "password" && password !== undefined ? { password } : {}) },
        isMain: values.isMain,
        ...(values.place !== null && { tunnelsIn: values.place }),
        ...(values.fingerprint.trim() === "" ? {} : { fingerprint: values.fingerprint.trim() }),
      };
      // Repeating the same input is the same server. A changed one is new.
      const said = JSON.stringify(body);
      if (sent.current?.said !== said) sent.current = { said, key: idempotencyKey() };
      return api("POST /admin/servers", { body, idempotencyKey: sent.current.key });
    },
    onSuccess: (server) => {
      void toast("good", server.problem === null ? words.done(server.name) : words.notReached(server.name));
      void queryClient.invalidateQueries({ queryKey: SERVERS });
      onAdded(server);
    },
    onError: (error) => {
      const field = fieldOf(error);
      if (field !== null) form.setErrors({ [field]: error.message });
    },
  });
  const submit = () => {
    const fingerprint = values.fingerprint.trim();
    const problems = {
      ...(values.name.trim() === "" ? { name: words.needed } : {}),
      ...credentialProblems(values, all),
      ...(values.way === "password" && values.password === "" ? { password: words.passwordEmpty } : {}),
      ...(fingerprint === "" || FINGERPRINT.test(fingerprint) ? {} : { fingerprint: words.fingerprintWrong }),
    };
    form.setErrors(problems);
    if (Object.keys(problems).length === 0) adding.mutate();
  };
  return (
    <FormSheet
      draft={draft("server.new")}
      title={words.title}
      onClose={onClose}
      submit={{ label: words.submit, working: words.working, busy: adding.isPending }}
      onSubmit={submit}
    >
      <p>{words.lead}</p>
      <TextInput
        label={words.name}
        description={all.edit.nameHint}
        {...form.getInputProps("name")}
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <CredentialInputs form={form} />
      <Segments
        label={words.way}
        value={values.way}
        onChange={(way) => set({ way })}
        choices={[
          { value: "password", label: words.byPassword },
          { value: "key", label: words.byKey },
        ]}
      />
      {values.way === "password" ? (
        <PasswordField
          label={words.password}
          description={words.passwordHint}
          {...form.getInputProps("password")}
          autoComplete="off"
          maxLength={512}
        />
      ) : (
        <PanelKey />
      )}
      <div>
        <Segments
          label={words.place}
          value={values.place ?? "docker"}
          onChange={(place) => set({ place })}
          choices={[
            { value: "docker", label: words.inDocker },
            { value: "system", label: words.inSystem },
          ]}
        />
        <p className={classes.placeHint}>{words.placeHint}</p>
      </div>
      <Checkbox
        label={words.isMain}
        description={words.isMainHint}
        {...form.getInputProps("isMain", { type: "checkbox" })}
      />
      <TextInput
        label={words.fingerprint}
        description={words.fingerprintHint}
        {...form.getInputProps("fingerprint")}
        placeholder="SHA256:"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={50}
      />
      {/* In the page from the start, so that screen readers announce it. */}
      <p role="status" className={classes.connecting}>
        {adding.isPending && words.connecting}
      </p>
      <FormMessage error={fieldOf(adding.error) === null && adding.error} failed={words.failed} reason />
    </FormSheet>
  );
}

/** The field that a refusal is about. */
function fieldOf(error: unknown): "host" | "fingerprint" | null {
  const code = error instanceof ApiError ? error.code : "";
  if (code === "server.exists" || code === "server.endpoint_invalid") return "host";
  return code === "server.fingerprint_differs" ? "fingerprint" : null;
}

/** The panel's public key, and the command that installs it on a machine that accepts keys only. */
function PanelKey() {
  const { add: words } = useServersWords();
  const key = useQuery({
    queryKey: [...SERVERS, "ssh-key"],
    queryFn: ({ signal }) => api("GET /admin/servers/ssh-key", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (key.isError) return <LoadFailed title={words.keyFailed} error={key.error} onRetry={() => void key.refetch()} />;
  if (!key.data) return null;
  const { publicKey } = key.data;
  const command = `mkdir -p ~/.ssh && echo '${publicKey}' >> ~/.ssh/authorized_keys`;
  return (
    <div className={classes.panelKey}>
      <p>{words.keyLead}</p>
      <output aria-label={words.keyCommand} className={classes.toPaste}>
        {command}
      </output>
      <div className={classes.copies}>
        <CopyButton text={command} label={words.copyCommand} size="sm" />
        <CopyButton text={publicKey} label={words.copyKey} size="sm" variant="subtle" />
      </div>
    </div>
  );
}
