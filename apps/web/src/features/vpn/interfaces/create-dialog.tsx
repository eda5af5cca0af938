import { POOL_PREFIXES, poolSize } from "@krug/domain/address-pool";
import { DEFAULT_MTU, mtuForPath } from "@krug/wireguard/path-mtu";
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf } from "../../../lib/use-draft.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { endpointOf, type Server } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import { isMtu, mtuOf } from "./interface-form.ts";
import { FIRST_PROFILE, ProfileFields } from "./profile-fields.tsx";
import { BY_DEVICES, type Routed, RoutingFields, routingProblem } from "./routing-fields.tsx";
import { useInterfacesWords } from "./words.ts";

interface Props {
  server: Server;
  onClose: () => void;
  onDone: () => void;
  /** Opens the import of another program's interface instead. */
  onMoveIn: () => void;
}

interface Values {
  name: string;
  prefix: (typeof POOL_PREFIXES)[number];
  ipv6: boolean;
  mtu: string;
  type: "wireguard" | "amneziawg";
  profile: typeof FIRST_PROFILE;
  routed: Routed;
}

/** Creates the next interface of a server. The answer says whether it is up. */
export function CreateDialog({ server, onClose, onDone, onMoveIn }: Props) {
  const { create: words, edit, moveIn, failures } = useInterfacesWords();
  const kinds = useAmneziaWords();
  const toast = useToast();
  // A name or an address: only an IPv6 address has a colon.
  const isAtV6 = endpointOf(server)?.includes(":") === true;
  const first: Values = {
    ...{ name: "", prefix: 24, ipv6: isAtV6, mtu: "" },
    ...{ type: "wireguard", profile: FIRST_PROFILE, routed: BY_DEVICES },
  };
  const [values, setValues] = useState(first);
  const { name, prefix, ipv6, mtu, type, profile, routed } = values;
  const set = (change: Partial<Values>) => setValues((old) => ({ ...old, ...change }));
  const [tried, setTried] = useState(false);
  const creating = useCommand({
    mutationFn: () =>
      api("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId: server.id },
        body: {
          ...(name.trim() === "" ? {} : { name: name.trim() }),
          prefix,
          ipv6,
          ...(mtu.trim() === "" ? {} : { mtu: mtuOf({ mtu }) }),
          ...(type === "amneziawg" ? { amneziawg: profile } : {}),
          ...(routed.routing === "server" ? routed : {}),
        },
      }),
    onSuccess: ({ interface: made }) => {
      void toast("good", made.conflict === null ? words.done(made.name) : words.notUp(made.name));
      onDone();
    },
  });
  const refused = creating.error instanceof ApiError ? routingProblem(creating.error) : null;
  const fits = mtuForPath(server.pathMtu);
  const mtuHint = () => {
    if (type === "amneziawg") return words.mtuAmnezia(server.pathMtu);
    return fits === null ? edit.mtuHint(DEFAULT_MTU) : edit.mtuNarrow(server.pathMtu ?? 0, fits, true);
  };
  return (
    <FormSheet
      draft={draftOf(`interface.new.${server.id}`, values, first, set)}
      asksBeforeLoss
      title={words.title}
      onClose={onClose}
      submit={{ label: words.submit, working: words.working, busy: creating.isPending }}
      onSubmit={() => {
        setTried(true);
        if (isMtu(mtu)) creating.mutate();
      }}
    >
      <Banner
        tone="move"
        title={moveIn.offerLead}
        action={
          <Button variant="outline" onClick={onMoveIn}>
            {moveIn.offer}
          </Button>
        }
      />
      <p>{words.lead}</p>
      <TextInput
        label={words.name}
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        placeholder={`Interface ${server.interfaceCount + 1}`}
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <Segments
        label={kinds.type}
        value={type}
        onChange={(chosen) => set({ type: chosen })}
        choices={(["wireguard", "amneziawg"] as const).map((value) => ({ value, label: kinds[value] }))}
      />
      <p>{kinds[`${type}Lead`]}</p>
      {type === "amneziawg" && (
        <>
          <ProfileFields serverId={server.id} profile={profile} onChange={(chosen) => set({ profile: chosen })} />
          <Hint>{kinds.later}</Hint>
        </>
      )}
      <NativeSelect
        label={words.size}
        value={prefix}
        onChange={({ currentTarget }) =>
          set({ prefix: POOL_PREFIXES.find((each) => String(each) === currentTarget.value) ?? prefix })
        }
        data={POOL_PREFIXES.map((each) => ({ value: String(each), label: words.devices(poolSize(each)) }))}
      />
      <Checkbox
        label={words.ipv6}
        description={isAtV6 ? words.ipv6Only : words.ipv6Hint}
        checked={ipv6}
        onChange={(event) => set({ ipv6: event.currentTarget.checked })}
      />
      <TextInput
        label={edit.mtu}
        description={mtuHint()}
        inputMode="numeric"
        placeholder={type === "amneziawg" ? "" : String(fits ?? DEFAULT_MTU)}
        value={mtu}
        onChange={(event) => set({ mtu: event.currentTarget.value })}
        error={tried && !isMtu(mtu) && edit.mtuWrong}
        autoComplete="off"
      />
      <RoutingFields
        entryId={server.id}
        value={routed}
        onChange={(change) => {
          set({ routed: { ...routed, ...change } });
          if (refused) creating.reset();
        }}
        problems={refused ? { [refused.field]: refused.message } : {}}
      />
      <FormMessage error={!refused && creating.error} failed={failures.create} reason />
    </FormSheet>
  );
}
