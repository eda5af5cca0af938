import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ApiError, api } from "../../lib/api.ts";
import { useInterfacesWords } from "../../lib/i18n/interfaces.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import "../../ui/form.css";
import { FormMessage } from "../../ui/form-message.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { Interface } from "../servers/index.ts";
import classes from "./interfaces.module.css";

interface Props {
  row: Interface;
  onClose: () => void;
  onDone: () => void;
}

/** Names what is lost with an interface; where that is somebody's config, it takes the typed name. */
export function DeleteDialog({ row, onClose, onDone }: Props) {
  const { remove: words, failures } = useInterfacesWords();
  const { common, failure } = useText();
  const formId = useId();
  const toast = useToast();
  const [configs, setConfigs] = useState(row.configCount);
  const [typed, setTyped] = useState("");
  const deleting = useMutation({
    mutationFn: () =>
      api("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", {
        params: { serverId: row.serverId, interfaceId: row.id },
        query: { configs },
      }),
    onSuccess: () => {
      void toast("good", words.done(row.name));
      onDone();
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === "interface.in_use")) return;
      setConfigs(Number(error.details.count ?? 0));
      setTyped("");
    },
  });
  const isChanged = deleting.error instanceof ApiError && deleting.error.code === "interface.in_use";
  const isLoss = configs > 0;
  const isNamed = !isLoss || typed.trim() === row.name;
  return (
    <Sheet
      opened
      onClose={onClose}
      title={words.title(row.name)}
      small={!isLoss}
      footer={
        <div className={classes.actions}>
          <Button variant="subtle" size="lg" onClick={onClose} data-autofocus={!isLoss || undefined}>
            {common.cancel}
          </Button>
          <SubmitButton
            danger
            form={formId}
            busy={deleting.isPending}
            label={isLoss ? words.confirmForever : words.confirm}
            working={words.working}
            disabled={!isNamed}
          />
        </div>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && !deleting.isPending) deleting.mutate();
        }}
      >
        {isChanged && <Banner tone="move" live title={words.changed(configs)} />}
        {isLoss ? (
          <>
            <p>{words.lead}</p>
            <ul className={classes.gone}>
              <li>{words.configs(configs)}</li>
              {row.assignedCount > 0 && <li>{words.assigned(row.assignedCount)}</li>}
            </ul>
            <TextInput
              label={words.type(row.name)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              data-autofocus
            />
          </>
        ) : (
          <p>{words.empty}</p>
        )}
        <FormMessage
          bad={deleting.error && !isChanged ? withReason(failures.remove, deleting.error, failure.silent) : null}
        />
      </form>
    </Sheet>
  );
}
