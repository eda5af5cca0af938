import { Button, Checkbox } from "@mantine/core";
import { useMemberText } from "../../../lib/i18n/member.ts";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { ApiError, explain } from "../../../lib/api.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { Facts } from "../../../ui/facts.tsx";
import "../../../ui/form.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import type { Me } from "../../access/auth/index.ts";
import { DeviceField, DnsField, NameField } from "./config-fields.tsx";
import classes from "./create-dialog.module.css";
import { Created, type Made } from "./created.tsx";
import { interfacesQuery } from "./queries.ts";
import { routingAt } from "./routing-at.ts";
import { labelOf, ServerField, ServerStanding } from "./server-field.tsx";
import { ServicesField } from "./services-field.tsx";
import { useServicesWords } from "./services-words.ts";
import { type Lists, useNewConfig } from "./use-new-config.ts";
import { keptHereAlone, useOneTimeKey } from "./use-one-time-key.tsx";
import { WithLists } from "./with-lists.tsx";

interface Props {
  me: Me;
  configCount: number;
  /** The next config needs a linked Telegram account, and there is none. */
  needsTelegram: boolean;
  /** Opens the bind prompt instead of this dialog. */
  onBind: () => void;
  onClose: () => void;
}

/** From a name to the first connection in one sheet: the form, then the new device's next step. */
export function CreateDialog({ me, configCount, needsTelegram, onBind, onClose }: Props) {
  const { create } = useDevices();
  const interfaces = useQuery(interfacesQuery);
  const [made, setMade] = useState<Made | null>(null);
  const { close, onTaken, question } = useOneTimeKey(keptHereAlone(made), onClose);
  const room = me.vpnConfigLimit === NO_LIMIT || configCount < me.vpnConfigLimit;
  return (
    <>
      <Sheet
        onClose={close}
        title={made ? made.config.name : create.title}
        parts={
          made ? (
            <Created
              made={made}
              onDone={onClose}
              onTaken={onTaken}
              {...(room ? { onAnother: needsTelegram ? onBind : () => setMade(null) } : {})}
            />
          ) : (
            <WithLists interfaces={interfaces}>
              {(lists) => (
                <CreateForm
                  me={me}
                  configCount={configCount}
                  needsTelegram={needsTelegram}
                  lists={lists}
                  onBind={onBind}
                  onCreated={setMade}
                />
              )}
            </WithLists>
          )
        }
      />
      {question}
    </>
  );
}

interface FormProps extends Omit<Props, "onClose"> {
  lists: Lists;
  onCreated: (made: Made) => void;
}

function CreateForm({ lists, ...given }: FormProps) {
  const { failure } = useMemberText();
  const { create, newDevice } = useDevices();
  const servicesWords = useServicesWords();
  const form = useNewConfig({ lists, ...given });
  const { values, set } = form;
  const formId = useId();
  const missingId = `${formId}-missing`;
  const serverError = form.error instanceof ApiError ? form.error : null;
  const nameTaken = serverError?.code === "config.name_taken" ? serverError.message : null;
  const nameError = form.nameError ?? nameTaken;
  const [isOpen, setIsOpen] = useState(!form.isSuggested);
  const isQuick = !isOpen && !nameTaken;
  const nameField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isOpen || !form.isSuggested) return;
    // The button that opened it is gone. Typing replaces the suggested name.
    nameField.current?.focus();
    nameField.current?.select();
  }, [isOpen, form.isSuggested]);

  const routing = routingAt(lists.interfaces, values.interfaceId);
  const routed = routing === "server" && servicesWords.routed.later;
  const device = <DeviceField value={values.deviceType} onChange={isQuick ? form.suggestFor : form.setDevice} />;
  return (
    <>
      <SheetBody>
        <form
          id={formId}
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          {form.goOn && (
            <Button
              variant="outline"
              className={classes.goOn ?? ""}
              onClick={() => {
                setIsOpen(true);
                form.goOn?.();
              }}
            >
              {newDevice.goOn}
            </Button>
          )}
          {isQuick ? (
            <>
              {device}
              <Suggested values={values} lists={lists} onOpen={() => setIsOpen(true)} />
              {routed && <p>{routed}</p>}
            </>
          ) : (
            <>
              <NameField ref={nameField} value={values.name} error={nameError} onChange={(name) => set({ name })} />
              {device}
              <ServicesField
                canAsk
                services={lists.services}
                deviceType={values.deviceType}
                routing={routing}
                chosen={values.services}
                onChange={(services) => set({ services })}
              />
              {routed && <p>{routed}</p>}
              <div className={classes.pair}>
                <DnsField dns={lists.dns} value={values.dns} onChange={(dns) => set({ dns })} />
                {lists.interfaces.length > 0 && (
                  <ServerField
                    interfaces={lists.interfaces}
                    value={values.interfaceId}
                    onChange={(interfaceId) => set({ interfaceId })}
                  />
                )}
              </div>
              <Checkbox
                classNames={{ body: classes.keyBody ?? "", label: classes.keyLabel ?? "" }}
                label={create.ownKey}
                description={form.canMakeKeys === false ? create.noOwnKey : create.ownKeyNote}
                disabled={form.canMakeKeys === false}
                checked={values.ownKey}
                onChange={(event) => set({ ownKey: event.currentTarget.checked })}
              />
            </>
          )}
        </form>
      </SheetBody>
      <SheetFooter>
        <FormMessage
          bad={form.problem ?? (form.error && !nameTaken ? explain(form.error, create.failed, failure.silent) : null)}
        />
        {form.missing.length > 0 && !form.busy && (
          <p id={missingId} className={classes.missing}>
            {newDevice.missing(form.missing.map((what) => newDevice[what]).join(", "))}
          </p>
        )}
        <SubmitButton
          form={formId}
          fullWidth
          busy={form.busy}
          disabled={form.missing.length > 0 && !form.busy}
          aria-describedby={missingId}
          label={create.submit}
          working={create.working}
          data-autofocus={isQuick || undefined}
        />
      </SheetFooter>
    </>
  );
}

/** What a device gets, confirmed by one press. */
function Suggested({
  values,
  lists,
  onOpen,
}: {
  values: { name: string; services: string[]; dns: string; interfaceId: string };
  lists: Lists;
  onOpen: () => void;
}) {
  const { create, newDevice } = useDevices();
  const server = lists.interfaces.find(({ id }) => id === values.interfaceId);
  const chosen = lists.services.filter(({ id }) => values.services.includes(id));
  return (
    <>
      <p>{newDevice.lead}</p>
      <Facts
        facts={[
          [create.name, values.name],
          [create.services, chosen.map(({ name }) => name).join(", ")],
          [create.dns, lists.dns.find(({ id }) => id === values.dns)?.name],
          [create.server, server && labelOf(server)],
        ]}
      />
      {server && <ServerStanding server={server} />}
      <div>
        <Button variant="outline" onClick={onOpen}>
          {newDevice.open}
        </Button>
      </div>
    </>
  );
}
