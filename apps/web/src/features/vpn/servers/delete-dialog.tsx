import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask, Tell } from "../../../ui/ask.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import type { Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

interface Props {
  server: Server;
  onClose: () => void;
  onDone: () => void;
  /** Moves what prevents its deletion. */
  onEmpty: () => void;
}

/** Asks before a server is deleted, or says why it cannot be. A machine reached over SSH can be cleaned first. */
export function DeleteDialog({ server, onClose, onDone, onEmpty }: Props) {
  const { remove: words, drain } = useServersWords();
  const { language } = useSpeech();
  const toast = useToast();
  const isThere = server.driver === "ssh" && server.status === "connected";
  const [cleans, setCleans] = useState(isThere);
  const deleting = useCommand({
    mutationFn: async () => {
      const params = { id: server.id };
      if (cleans) return api("POST /admin/servers/{id}/leave", { params });
      await api("DELETE /admin/servers/{id}", { params });
      return null;
    },
    onSuccess: (left) => {
      if (left === null) void toast("good", words.done(server.name));
      else if (left.isClean) void toast("good", words.cleaned(server.name, left.kept));
      else void toast("bad", words.notCleaned(server.name, left.why?.[language] ?? ""));
      onDone();
    },
  });
  const reason = server.whyNotDeleted;
  if (reason !== null)
    return (
      <Tell onClose={onClose} title={words.cannot(server.name)} understood={words.understood}>
        <p>{reason === "server.in_use" ? words.why[reason](server.configCount) : words.why[reason]}</p>
        {reason === "server.in_use" && server.isSetupComplete && (
          <Button variant="outline" onClick={onEmpty}>
            {drain.action}
          </Button>
        )}
      </Tell>
    );
  return (
    <Ask
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      title={words.title(server.name)}
      text={words.text(server.interfaceCount)}
      confirm={words.confirm}
      working={cleans ? words.cleaning : words.working}
      of={deleting}
      failed={words.failed}
      reason
      danger
    >
      {server.leavingCount > 0 && <Banner tone="move" title={words.leaving(server.leavingCount)} />}
      {server.driver === "ssh" && (
        <Checkbox
          checked={cleans}
          disabled={!isThere}
          onChange={(event) => setCleans(event.currentTarget.checked)}
          label={words.clean}
          description={isThere ? words.cleanMore : words.cannotClean}
        />
      )}
    </Ask>
  );
}
