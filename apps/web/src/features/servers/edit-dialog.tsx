import { isEndpointHost } from "@krug/wireguard/endpoint";
import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useEditForm } from "../../lib/use-edit-form.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useViewed } from "../staff/index.ts";
import { SERVERS, type Server, serversQuery } from "./queries.ts";
import { useServersWords } from "./words.ts";

interface Props {
  server: Server;
  onClose: () => void;
  onSaved: () => void;
}

/** A server's name and the address that devices connect to; before saving it says whose files become outdated. */
export function EditDialog({ server, onClose, onSaved }: Props) {
  const { edit: words } = useServersWords();
  const { failure } = useText();
  const { viewedRole } = useViewed();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { form, values, seen, conflict, ...saving } = useEditForm({
    row: server,
    fieldsOf: ({ name, endpoint }) => ({ name, endpoint: endpoint ?? "" }),
    problemsOf: ({ name, endpoint }) => ({
      ...(name.trim() === "" ? { name: words.nameEmpty } : {}),
      ...(endpoint.trim() !== "" && !isEndpointHost(endpoint.trim()) ? { endpoint: words.endpointWrong } : {}),
    }),
    changeOf,
    send: (body) => api("PUT /admin/servers/{id}", { params: { id: server.id }, body }),
    onSaved: () => {
      void toast("good", words.saved);
      onSaved();
    },
    onUnchanged: () => {
      void toast("good", words.nothingChanged);
      onClose();
    },
    lookAgain: async (_, seen) => {
      await queryClient.invalidateQueries({ queryKey: SERVERS });
      const fresh = await queryClient.fetchQuery(serversQuery(viewedRole));
      return { row: fresh.find(({ id }) => id === server.id) ?? seen, conflict: true };
    },
  });
  const moves = (wishedEndpoint(values) ?? seen.defaultEndpoint) !== (seen.endpoint ?? seen.defaultEndpoint);
  return (
    <FormSheet
      title={words.title(server.name)}
      onClose={onClose}
      submit={{ label: words.save, working: words.saving, busy: saving.busy }}
      onSubmit={saving.save}
    >
      {conflict && (
        <Banner tone="move" live title={words.conflict}>
          <p>{words.changedTo(words.name, seen.name)}</p>
          <p>{words.changedTo(words.endpoint, seen.endpoint ?? seen.defaultEndpoint ?? "—")}</p>
          <p>{words.conflictMore}</p>
        </Banner>
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
      <FormMessage bad={saving.error && withReason(words.failed, saving.error, failure.silent)} />
    </FormSheet>
  );
}

interface Fields {
  name: string;
  endpoint: string;
}

/** null: the address it has by itself. */
const wishedEndpoint = ({ endpoint }: Fields) => endpoint.trim() || null;

function changeOf(seen: Server, fields: Fields) {
  const name = fields.name.trim();
  const endpoint = wishedEndpoint(fields);
  const change = {
    ...(name === seen.name ? {} : { name }),
    ...(endpoint === seen.endpoint ? {} : { endpoint }),
  };
  if (Object.keys(change).length === 0) return {};
  return { ...change, expected: { name: seen.name, endpoint: seen.endpoint } };
}
