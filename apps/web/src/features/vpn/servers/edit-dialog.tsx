import { readEndpointHost } from "@krug/wireguard/endpoint";
import { TextInput } from "@mantine/core";
import { api } from "../../../lib/api.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { inList, useEditForm } from "../../../ui/use-edit-form.ts";
import { useViewed } from "../../club/staff/index.ts";
import { CredentialInputs } from "./credential-inputs.tsx";
import { type CredentialFields, credentialProblems, credentialsOf, loginOf } from "./credentials.ts";
import { SERVERS, type Server, serversQuery } from "./queries.ts";
import { useServersWords } from "./words.ts";

interface Props {
  server: Server;
  onClose: () => void;
}

/**
 * A server's name, the address that devices connect to, and how the panel reaches it. Before saving it says whose files become
 * outdated.
 */
export function EditDialog({ server, onClose }: Props) {
  const all = useServersWords();
  const { edit: words } = all;
  const edit = useEditWords();
  const { viewedRole } = useViewed();
  const { form, values, seen, conflict, ...editing } = useEditForm({
    row: server,
    fieldsOf,
    problemsOf: ({ name, endpoint, ...credentials }, { credentials: seen }) => ({
      ...(name.trim() === "" ? { name: words.nameEmpty } : {}),
      ...(endpoint.trim() !== "" && readEndpointHost(endpoint.trim()) === null
        ? { endpoint: words.endpointWrong }
        : {}),
      ...(seen === null ? {} : credentialProblems(credentials, all)),
    }),
    fieldOf: ({ code }) => (code === "server.exists" ? "host" : undefined),
    changeOf,
    send: (body) => api("PUT /admin/servers/{id}", { params: { id: server.id }, body }),
    saved: () => edit.saved,
    changes: SERVERS,
    lookAgain: inList((client) => client.fetchQuery(serversQuery(viewedRole))),
    onClose,
  });
  const moves = (wishedEndpoint(values) ?? seen.defaultEndpoint) !== (seen.endpoint ?? seen.defaultEndpoint);
  return (
    <EditSheet editing={editing} place={`server.${server.id}`} title={words.title(server.name)} onClose={onClose}>
      {conflict && (
        <Conflict
          found={conflict}
          title={words.conflict}
          now={[
            [words.name, seen.name],
            [words.endpoint, seen.endpoint ?? seen.defaultEndpoint ?? "—"],
            ...(seen.credentials ? [[words.login, loginText(seen.credentials)] as const] : []),
          ]}
        />
      )}
      <TextInput
        label={words.name}
        description={words.nameHint}
        {...form.getInputProps("name")}
        maxLength={64}
        data-autofocus
      />
      <TextInput
        label={words.endpoint}
        description={words.endpointHint(seen.defaultEndpoint)}
        {...form.getInputProps("endpoint")}
        placeholder={seen.defaultEndpoint ?? ""}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {moves && seen.toDownload > 0 && (
        <Banner tone="move" live title={words.effect(seen.toDownload)}>
          {words.effectMore}
        </Banner>
      )}
      {seen.credentials && (
        <>
          <CredentialInputs form={form} />
          <PasswordField
            label={all.add.password}
            description={words.passwordHint}
            {...form.getInputProps("password")}
            autoComplete="off"
            maxLength={512}
          />
        </>
      )}
      <FormMessage error={editing.error} failed={words.failed} reason />
    </EditSheet>
  );
}

interface Fields extends CredentialFields {
  name: string;
  endpoint: string;
}

const fieldsOf = ({ name, endpoint, credentials }: Server): Fields => ({
  name,
  endpoint: endpoint ?? "",
  host: credentials?.host ?? "",
  port: String(credentials?.port ?? ""),
  username: credentials?.username ?? "",
  password: "",
});

/** null: its automatic address. */
const wishedEndpoint = ({ endpoint }: Pick<Fields, "endpoint">) => endpoint.trim() || null;

const loginText = ({ host, port, username }: NonNullable<Server["credentials"]>) => `${username}@${host}:${port}`;

function changeOf(seen: Server, fields: Fields) {
  const name = fields.name.trim();
  const endpoint = wishedEndpoint(fields);
  const change = {
    ...(name === seen.name ? {} : { name }),
    ...(endpoint === seen.endpoint ? {} : { endpoint }),
  };
  const was = seen.credentials;
  const now = credentialsOf(fields);
  const isMoved =
    was !== null &&
    (now.password !== undefined || now.host !== was.host || now.port !== was.port || now.username !== was.username);
  if (Object.keys(change).length === 0 && !isMoved) return {};
  return {
    ...change,
    ...(isMoved ? { credentials: now } : {}),
    expected: { name: seen.name, endpoint: seen.endpoint, ...(was && { credentials: loginOf(was) }) },
  };
}
