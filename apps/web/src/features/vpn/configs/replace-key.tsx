import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, Refusal } from "../../../lib/api.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { withPrivateKey } from "./browser-key.ts";
import type { Made } from "./created.tsx";
import { type Config, configsQuery } from "./queries.ts";
import { forgetRefused, forgetSent, sentWith } from "./sent.ts";

const CreatedDialog = lazyDialog(() => import("./created-dialog.tsx").then(({ CreatedDialog }) => CreatedDialog));

/** New keys for a lost device's place, then instructions to put the new file on the new device. */
export function ReplaceKey({ config, onClose }: { config: Config; onClose: () => void }) {
  const { replace, create } = useDevices();
  const queryClient = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  const change = useCommand({
    mutationFn: async (): Promise<Made> => {
      const params = { id: config.id };
      const isOwnKey = config.keyOrigin !== "panel";
      const { key, pair } = await sentWith("key", `${config.id} ${config.keyOrigin}`, isOwnKey);
      if (isOwnKey && !pair) throw new Refusal(create.noOwnKey);
      const body = pair ? { publicKey: pair.publicKey } : {};
      const answer = await api("POST /vpn/configs/{id}/key", { params, body, idempotencyKey: key });
      return {
        config: answer,
        text: answer.template && pair ? withPrivateKey(answer.template, pair.privateKey) : null,
      };
    },
    onError: (error) => forgetRefused("key", error),
    onSuccess: (result) => {
      forgetSent("key");
      void queryClient.invalidateQueries({ queryKey: configsQuery.queryKey });
      setMade(result);
    },
  });
  if (made) return <CreatedDialog made={made} onClose={onClose} />;
  return (
    <Ask
      onClose={onClose}
      title={replace.title(config.name)}
      text={replace.text}
      words={replace}
      danger
      of={change}
      onConfirm={() => change.mutate()}
    />
  );
}
