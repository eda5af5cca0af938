import { Button } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../lib/api.ts";
import { useDevices } from "../../lib/i18n/devices.ts";
import { useMemberText } from "../../lib/i18n/member.ts";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import classes from "./diagnosis-dialog.module.css";
import { type Config, configsQuery, interfacesQuery } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";

interface Props {
  config: Config;
  /** With the file of its new place to be taken. */
  onMoved: (config: Config) => void;
  /** Only this browser's new key makes a new file where the panel has none. */
  onReplaceKey: () => void;
}

/** Offers the same device on the other kind of tunnel, where the member may use one that works. */
export function OtherWay({ config, onMoved, onReplaceKey }: Props) {
  const { otherWay: words } = useDevices();
  const { failure } = useMemberText();
  const queryClient = useQueryClient();
  const { data = [] } = useQuery(interfacesQuery);
  const others = data.filter(({ reason, tunnel }) => reason === null && tunnel.type !== config.tunnel.type);
  const target = others.find(({ serverId }) => serverId === config.serverId) ?? others[0];
  const moving = useCommand({
    mutationFn: (interfaceId: string) =>
      api("PUT /vpn/configs/{id}", { params: { id: config.id }, body: { interfaceId } }),
    onSuccess: (moved) => {
      queryClient.setQueryData(configsQuery.queryKey, (list) =>
        list?.map((one) => (one.id === moved.id ? moved : one)),
      );
      void queryClient.invalidateQueries({ queryKey: configsQuery.queryKey });
      if (moved.keyOrigin === "browser") onReplaceKey();
      else onMoved(moved);
    },
  });
  // What its file routes is known to the device alone.
  if (target === undefined || config.services.length === 0) return null;
  return (
    <section aria-labelledby="other-way">
      <h3 id="other-way" className={classes.title}>
        {words.title}
      </h3>
      <div className={classes.way}>
        <p>{target.tunnel.type === "amneziawg" ? words.toAmneziawg : words.toWireguard}</p>
        <p>{words.stays}</p>
        <Button
          variant="outline"
          loading={moving.isPending}
          leftSection={<IconArrowsExchange size={20} stroke={1.6} />}
          onClick={() => moving.mutate(target.id)}
        >
          {moving.isPending ? words.working : words.take(appFor(target.tunnel))}
        </Button>
        <FormMessage bad={moving.error && explain(moving.error, words.failed, failure.silent)} />
      </div>
    </section>
  );
}
