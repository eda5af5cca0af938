import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { type Config, type ConfigWithText, configsQuery, interfacesQuery } from "./queries.ts";

/** The same device on the other kind of tunnel: its target, null if there is none, and the move there. */
export function useOtherWay(config: Config, onMoved: (config: ConfigWithText) => void) {
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
      onMoved(moved);
    },
  });
  // Only the device knows what its file routes.
  return { target: config.services.length === 0 ? null : (target ?? null), moving };
}
