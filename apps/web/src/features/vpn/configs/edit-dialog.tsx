import type { Api } from "@krug/contract/api";
import { whyNotConfigName } from "@krug/domain/config-rules";
import { fitsDevice } from "@krug/domain/phone-limit";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, explain } from "../../../lib/api.ts";
import { clubDay } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { DnsField, NameField } from "./config-fields.tsx";
import classes from "./create-dialog.module.css";
import { CreatedDialog } from "./created-dialog.tsx";
import { EndField } from "./end-field.tsx";
import { tellEndSaved } from "./end-saved.tsx";
import { NewFile } from "./new-file.tsx";
import { type Config, type ConfigWithText, configsQuery, dnsQuery, interfacesQuery, servicesQuery } from "./queries.ts";
import { routingAt } from "./routing-at.ts";
import { ServerField } from "./server-field.tsx";
import { ServicesField } from "./services-field.tsx";
import { nameError } from "./use-new-config.ts";

const Commands = lazyPart(() => import("./commands.tsx").then(({ Commands }) => Commands));

type Change = Api["PUT /vpn/configs/{id}"]["body"];

interface Props {
  config: Config;
  onClose: () => void;
  /** Opens the question about a new key, instead of this dialog. */
  onReplaceKey: () => void;
}

/** A device's name, services, DNS and server, and then how to bring its new file to it. */
export function EditDialog({ config, onClose, onReplaceKey }: Props) {
  const { failure } = useMemberText();
  const { create, editDevice: words } = useDevices();
  const toast = useToast();
  const queryClient = useQueryClient();
  const services = useQuery(servicesQuery);
  const dns = useQuery(dnsQuery);
  const interfaces = useQuery(interfacesQuery);
  const { deviceType, name, dns: dnsId, interfaceId } = config;
  const endWas = config.ends ? clubDay(config.ends.at) : "";
  const first = { name, services: config.services, dns: dnsId, interfaceId, until: endWas };
  const [values, setValues] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const [changed, setChanged] = useState<ConfigWithText | null>(null);

  const saving = useCommand({
    mutationFn: (change: Change) => api("PUT /vpn/configs/{id}", { params: { id: config.id }, body: change }),
    onSuccess: (answer, { until }) => {
      queryClient.setQueryData(configsQuery.queryKey, (list) =>
        list?.map((one) => (one.id === answer.id ? answer : one)),
      );
      void queryClient.invalidateQueries({ queryKey: configsQuery.queryKey });
      // Another app cannot take over single lines.
      if (answer.template !== null && answer.tunnel.type !== config.tunnel.type) return onReplaceKey();
      if (answer.needsDownload || answer.template !== null) return setChanged(answer);
      if (until === undefined || config.ends?.isOver) void toast("good", words.saved(answer.name));
      else
        tellEndSaved({
          name: answer.name,
          back: () => api("PUT /vpn/configs/{id}", { params: { id: config.id }, body: { until: endWas || null } }),
        });
      onClose();
    },
  });
  const set = (change: Partial<typeof values>) => {
    setValues((old) => ({ ...old, ...change }));
    setProblem(null);
    if (saving.isError) saving.reset();
  };
  const [nameThere] = useState(config.name);
  const isSame =
    values.services.length === config.services.length && values.services.every((id) => config.services.includes(id));
  const routing = routingAt(interfaces.data, values.interfaceId) ?? config.routing;
  const save = () => {
    const chosen = services.data?.filter(({ id }) => values.services.includes(id)) ?? [];
    if (whyNotConfigName(values.name)) return setProblem(create.nameInvalid);
    if (!isSame && !fitsDevice({ deviceType, routing }, chosen)) return setProblem(create.phoneLimit);
    const change = {
      ...(values.name === config.name ? {} : { name: values.name }),
      ...(isSame ? {} : { services: values.services }),
      ...(values.dns === config.dns ? {} : { dns: values.dns }),
      ...(values.interfaceId === interfaceId ? {} : { interfaceId: values.interfaceId }),
      ...(values.until === endWas ? {} : { until: values.until || null }),
    };
    if (Object.keys(change).length === 0) return onClose();
    saving.mutate(change);
  };

  if (changed && changed.tunnel.type !== config.tunnel.type)
    return <CreatedDialog made={{ config: changed, text: null }} onClose={onClose} />;
  if (changed)
    return (
      <NewFile
        config={changed}
        nameThere={nameThere}
        hasMoved={changed.interfaceId !== interfaceId}
        onClose={onClose}
        onReplaceKey={onReplaceKey}
      />
    );
  const lists = [services, dns, interfaces];
  const isLoaded = services.data && dns.data && interfaces.data;
  const isOffered = interfaces.data?.some(({ id }) => id === interfaceId);
  const others = interfaces.data?.filter(({ id }) => id !== interfaceId) ?? [];
  const error = lists.find((list) => list.error)?.error;
  const nameTaken = saving.error instanceof ApiError && saving.error.code === "config.name_taken";
  const endInPast = saving.error instanceof ApiError && saving.error.code === "config.end_in_past";
  const nameProblem = nameError(values.name, true, create) ?? (nameTaken ? saving.error?.message : null);
  return (
    <FormSheet
      draft={draftOf(`config.${config.id}`, values, first, set)}
      asksBeforeLoss
      title={words.title(config.name)}
      onClose={onClose}
      submit={
        isLoaded
          ? {
              label: words.save,
              working: words.saving,
              busy: saving.isPending,
              disabled: values.name === "" || (values.services.length === 0 && !isSame),
            }
          : null
      }
      onSubmit={save}
    >
      {error && (
        <LoadFailed
          title={words.listsFailed}
          error={error}
          onRetry={() => lists.forEach((list) => void list.refetch())}
        />
      )}
      {!error && !isLoaded && <Waiting room={360} />}
      {isLoaded && (
        <div className={classes.form}>
          <p>{words.lead}</p>
          {routing === "server" && config.routing === "server" && <p>{words.routed}</p>}
          <NameField value={values.name} error={nameProblem} onChange={(changedName) => set({ name: changedName })} />
          <ServicesField
            canAsk
            services={services.data}
            deviceType={deviceType}
            routing={routing}
            chosen={values.services}
            onChange={(ids) => set({ services: ids })}
          />
          <DnsField dns={dns.data} value={values.dns} onChange={(id) => set({ dns: id })} />
          <EndField
            value={values.until}
            byStaff={config.ends?.byStaff ?? false}
            error={endInPast ? (saving.error?.message ?? null) : null}
            onChange={(until) => set({ until })}
          />
          {others.length > 0 && (
            <div>
              <ServerField
                interfaces={interfaces.data}
                present={isOffered ? undefined : { value: interfaceId, label: config.serverName }}
                value={values.interfaceId}
                onChange={(id) => set({ interfaceId: id })}
              />
              <div role="status" className={classes.moves}>
                {values.interfaceId !== interfaceId && <p>{words.moves}</p>}
              </div>
            </div>
          )}
          {config.keyOrigin === "panel" && config.services.length > 0 && <Commands made={{ config, text: null }} />}
          <FormMessage
            bad={
              problem ??
              (saving.error && !nameTaken && !endInPast ? explain(saving.error, words.failed, failure.silent) : null)
            }
          />
        </div>
      )}
    </FormSheet>
  );
}
