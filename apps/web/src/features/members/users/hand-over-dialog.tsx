import type { Api } from "@krug/contract/api";
import { fitsDevice } from "@krug/domain/phone-limit";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, api, explain } from "../../../lib/api.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import "../../../ui/form.css";
import { draftOf } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import {
  DeviceField,
  DnsField,
  type Lists,
  NameField,
  nameError,
  routingAt,
  ServerField,
  ServicesField,
  servicesAtFirst,
  suggestedName,
  WithLists,
} from "../../vpn/configs/index.ts";
import { useHandOverWords } from "./hand-over-words.ts";
import { LinkShown } from "./link-shown.tsx";
import { interfacesOfQuery } from "./queries.ts";
import { useUsersWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string };
  /** Names of the member's configs. */
  taken: readonly string[];
  onMade: () => void;
  onClose: () => void;
}
type Made = Api["POST /users/{id}/configs"]["answer"];

/** Creates a config for a member, and shows the one-time link for it. */
export function HandOverDialog({ member, taken, onMade, onClose }: Props) {
  const { link } = useUsersWords();
  const words = useHandOverWords();
  const interfaces = useQuery(interfacesOfQuery(member.id));
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Sheet
      onClose={onClose}
      title={made ? words.doneTitle(made.config.name) : words.title(member.displayName)}
      parts={
        made ? (
          <>
            <SheetBody>
              <LinkShown lead={words.lead} link={made.link} expiresAt={made.expiresAt} />
            </SheetBody>
            <SheetFooter>
              <Button fullWidth size="lg" onClick={onClose}>
                {link.done}
              </Button>
            </SheetFooter>
          </>
        ) : (
          <WithLists interfaces={interfaces} ownerId={member.id}>
            {(lists) => (
              <Form
                memberId={member.id}
                taken={taken}
                lists={lists}
                onMade={(config) => {
                  setMade(config);
                  onMade();
                }}
                onClose={onClose}
              />
            )}
          </WithLists>
        )
      }
    />
  );
}

type DeviceType = "phone" | "computer";

interface FormProps {
  memberId: string;
  taken: readonly string[];
  lists: Lists;
  onMade: (made: Made) => void;
  onClose: () => void;
}

function Form({ memberId, taken, lists, onMade, onClose }: FormProps) {
  const words = useHandOverWords();
  const { failure } = useMemberText();
  const { create } = useDevices();
  const usable = lists.interfaces.filter(({ reason }) => reason === null);
  const valuesFor = (deviceType: DeviceType) => ({
    // A suggested name saves typing. Nothing is known about somebody else's device.
    name: suggestedName(deviceType, taken, ""),
    deviceType,
    services: servicesAtFirst(lists, deviceType),
  });
  const [first] = useState(() => ({
    ...valuesFor("phone"),
    dns: lists.dns[0]?.id ?? "",
    interfaceId: (usable.find(({ isPreferred }) => isPreferred) ?? usable[0])?.id ?? "",
  }));
  const [values, setValues] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const sent = useRef<{ said: string; key: string } | null>(null);
  const making = useCommand({
    mutationFn: ({ interfaceId, ...wish }: typeof values) => {
      const body = { ...wish, ...(interfaceId ? { interfaceId } : {}) };
      // The same input reuses the key; a changed one gets a new key.
      const said = JSON.stringify(body);
      if (sent.current?.said !== said) sent.current = { said, key: idempotencyKey() };
      return api("POST /users/{id}/configs", { params: { id: memberId }, body, idempotencyKey: sent.current.key });
    },
    onSuccess: onMade,
  });
  const set = (change: Partial<typeof values>) => {
    setValues((old) => ({ ...old, ...change }));
    setProblem(null);
    if (making.isError) making.reset();
  };
  const code = making.error instanceof ApiError ? making.error.code : "";
  const isNameTaken = code === "config.name_taken";
  const badName = nameError(values.name, true, create) ?? (isNameTaken ? making.error?.message : null);
  const refusal = words.refused[code as keyof typeof words.refused];
  const routing = routingAt(lists.interfaces, values.interfaceId);
  const submit = () => {
    if (making.isPending || making.isSuccess || nameError(values.name, true, create)) return;
    const chosen = lists.services.filter(({ id }) => values.services.includes(id));
    if (!fitsDevice({ ...values, routing }, chosen)) return setProblem(create.phoneLimit);
    making.mutate(values);
  };
  return (
    <FormParts
      draft={draftOf(`config.new.${memberId}`, values, first, (before) => setValues({ ...values, ...before }))}
      onClose={onClose}
      submit={{
        label: words.make,
        working: words.making,
        busy: making.isPending || making.isSuccess,
        disabled: values.services.length === 0 || values.dns === "",
      }}
      onSubmit={submit}
      effect={
        <FormMessage
          bad={
            problem ??
            refusal ??
            (making.error && !isNameTaken ? explain(making.error, words.failed, failure.silent) : null)
          }
        />
      }
    >
      <p>{words.ask}</p>
      <DeviceField
        value={values.deviceType}
        onChange={(deviceType) => {
          const { name, ...rest } = valuesFor(deviceType);
          const isSuggested = values.name === suggestedName(values.deviceType, taken, "");
          set(isSuggested ? { name, ...rest } : rest);
        }}
      />
      <NameField value={values.name} error={badName} onChange={(name) => set({ name })} />
      <ServicesField
        services={lists.services}
        deviceType={values.deviceType}
        routing={routing}
        chosen={values.services}
        onChange={(services) => set({ services })}
      />
      <DnsField dns={lists.dns} value={values.dns} onChange={(dns) => set({ dns })} />
      {lists.interfaces.length > 0 && (
        <ServerField
          interfaces={lists.interfaces}
          value={values.interfaceId}
          onChange={(interfaceId) => set({ interfaceId })}
        />
      )}
    </FormParts>
  );
}
