import { isEndpointHost } from "@krug/wireguard/endpoint";
import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../lib/api.ts";
import { useServersWords } from "../../lib/i18n/servers.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useViewed } from "../staff/index.ts";
import { SERVERS, type Server, serversQuery } from "./queries.ts";

interface Props {
  server: Server;
  onClose: () => void;
  onSaved: () => void;
}

/** A server's name and the address that devices connect to; whose file gets old is told before it is saved. */
export function EditDialog({ server, onClose, onSaved }: Props) {
  const { edit: words } = useServersWords();
  const { failure } = useText();
  const { viewedRole } = useViewed();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [seen, setSeen] = useState(server);
  const [name, setName] = useState(server.name);
  const [endpoint, setEndpoint] = useState(server.endpoint ?? "");
  const [problems, setProblems] = useState<{ name?: string; endpoint?: string }>({});
  const [conflict, setConflict] = useState(false);
  const wished = endpoint.trim() === "" ? null : endpoint.trim();
  const moves = (wished ?? seen.defaultEndpoint) !== (seen.endpoint ?? seen.defaultEndpoint);

  const saving = useMutation({
    mutationFn: () =>
      api("PUT /admin/servers/{id}", {
        params: { id: server.id },
        body: {
          ...(name.trim() === seen.name ? {} : { name: name.trim() }),
          ...(wished === seen.endpoint ? {} : { endpoint: wished }),
          expected: { name: seen.name, endpoint: seen.endpoint },
        },
      }),
    onSuccess: () => {
      void toast("good", words.saved);
      onSaved();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError && error.code === "server.changed_meanwhile")) return;
      await queryClient.invalidateQueries({ queryKey: SERVERS });
      const fresh = await queryClient.fetchQuery(serversQuery(viewedRole));
      // What stands there now has been seen from here on: saving again replaces it, and knowingly.
      setSeen(fresh.find(({ id }) => id === server.id) ?? seen);
      setConflict(true);
    },
  });
  const save = () => {
    const found = {
      ...(name.trim() === "" ? { name: words.nameEmpty } : {}),
      ...(wished !== null && !isEndpointHost(wished) ? { endpoint: words.endpointWrong } : {}),
    };
    setProblems(found);
    if (Object.keys(found).length > 0 || saving.isPending) return;
    if (name.trim() === seen.name && wished === seen.endpoint) {
      void toast("good", words.nothingChanged);
      onClose();
    } else saving.mutate();
  };
  const isConflict = saving.error instanceof ApiError && saving.error.code === "server.changed_meanwhile";
  return (
    <FormSheet
      title={words.title(server.name)}
      onClose={onClose}
      submit={{ label: words.save, working: words.saving, busy: saving.isPending }}
      onSubmit={save}
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
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.name}
        maxLength={64}
        data-autofocus
      />
      <TextInput
        label={words.endpoint}
        description={words.endpointHint(seen.defaultEndpoint)}
        value={endpoint}
        onChange={(event) => setEndpoint(event.currentTarget.value)}
        error={problems.endpoint}
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
      <FormMessage bad={saving.error && !isConflict ? withReason(words.failed, saving.error, failure.silent) : null} />
    </FormSheet>
  );
}
