import type { Api } from "@krug/contract/api";
import { NO_LIMIT, whyNotConfigName } from "@krug/domain/config-rules";
import { fitsDevice } from "@krug/domain/phone-limit";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, api, Refusal } from "../../../lib/api.ts";
import { begun, useBegun } from "../../../lib/begun.ts";
import { type DeviceText, useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import type { MemberText } from "../../../lib/i18n/ru.ts";
import { useCommand } from "../../../lib/use-command.ts";
import type { Me } from "../../access/auth/index.ts";
import { makeKeyPair, withPrivateKey } from "./browser-key.ts";
import type { Made } from "./created.tsx";
import { suggestedName, thisDevice } from "./first-device.ts";
import { type Config, configsQuery, type NewConfig } from "./queries.ts";
import { routingAt } from "./routing-at.ts";
import { forgetRefused, forgetSent, sentWith } from "./sent.ts";
import { servicesAtFirst, suggestedFor } from "./suggested-services.ts";

export interface Lists {
  services: Api["GET /services"]["answer"];
  dns: Api["GET /dns"]["answer"];
  interfaces: Api["GET /vpn/available-interfaces"]["answer"];
  /** Ids of services that the member's template preselects. */
  suggested: Api["GET /vpn/suggested-services"]["answer"];
}

interface Values {
  name: string;
  deviceType: Config["deviceType"];
  services: string[];
  dns: string;
  interfaceId: string;
  ownKey: boolean;
}

interface Given {
  me: Me;
  configCount: number;
  needsTelegram: boolean;
  lists: Lists;
  onBind: () => void;
  onCreated: (made: Made) => void;
}

/** Where the draft is stored: opening the form resets it (specification, member's side 4), and offers the draft. */
const BEGUN = "config";
/** What a button that can't be pressed yet waits for. */
export type Missing = "name" | "services" | "dns" | "server";

/** The form of a new config: preselects what it can, checks in the specification's order, sends once. */
export function useNewConfig({ me, configCount, needsTelegram, lists, onBind, onCreated }: Given) {
  const { dashboard } = useMemberText();
  const { create } = useDevices();
  const queryClient = useQueryClient();
  const taken = queryClient.getQueryData(configsQuery.queryKey)?.map(({ name }) => name.toLowerCase()) ?? [];
  const [suggested] = useState(() => suggestedValues(lists, thisDevice(), taken));
  const [values, setValues] = useState<Values>(suggested ?? (() => firstValues(lists, thisDevice())));
  useBegun();
  const [isReset, setIsReset] = useState(true);
  const before = isReset ? begun.read<Values>(BEGUN) : undefined;
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [canMakeKeys, setCanMakeKeys] = useState<boolean | null>(null);
  useEffect(() => {
    void makeKeyPair().then((pair) => setCanMakeKeys(pair !== null));
  }, []);

  const creation = useCommand({
    mutationFn: async (wish: Values): Promise<Made> => {
      begun.write(BEGUN, wish);
      const { pair, key } = await sentWith("config", JSON.stringify(wish), wish.ownKey);
      if (wish.ownKey && !pair) throw new Refusal(create.noOwnKey);
      const body = bodyOf(wish, me.id, pair?.publicKey);
      const answer = await api("POST /vpn/configs", { body, idempotencyKey: key });
      return {
        config: answer,
        text: answer.template && pair ? withPrivateKey(answer.template, pair.privateKey) : null,
      };
    },
    onSuccess: (made) => {
      begun.write(BEGUN, undefined);
      forgetSent("config");
      queryClient.setQueryData(configsQuery.queryKey, (list) => [...(list ?? []), made.config]);
      void queryClient.invalidateQueries({ queryKey: configsQuery.queryKey });
      onCreated(made);
    },
    // Unlinked in the bot, or only just required: the page did not know yet.
    onError: (error) => {
      forgetRefused("config", error);
      if (error instanceof ApiError && error.code === "telegram.not_linked") onBind();
    },
  });

  const set = (change: Partial<Values>) => {
    const next = { ...values, ...change };
    setValues(next);
    setIsReset(false);
    begun.write(BEGUN, next);
    setProblem(null);
    if (creation.isError) creation.reset();
  };
  const chosen = lists.services.filter(({ id }) => values.services.includes(id));
  return {
    values,
    set,
    /** Everything is chosen: nothing has to be typed. */
    isSuggested: suggested !== null,
    /** Restores the draft from before the form was opened; null if there is none. */
    goOn: before ? () => set(stillOffered(before, lists)) : null,
    suggestFor: (deviceType: Config["deviceType"]) =>
      setValues((old) => suggestedValues(lists, deviceType, taken) ?? { ...old, deviceType, services: [] }),
    /** Changing the device type clears the services (specification, member's side 4), except the preselected ones. */
    setDevice: (deviceType: Config["deviceType"]) => set({ deviceType, services: firstServices(lists, deviceType) }),
    nameError: nameError(values.name, tried, create),
    problem,
    error: creation.error,
    busy: creation.isPending || creation.isSuccess,
    canMakeKeys,
    /** User-side, section 5: what is required before the button can be pressed. */
    missing: missingIn(values, lists),
    submit() {
      setTried(true);
      // The first of the checks. It opens its own dialog.
      if (needsTelegram) return onBind();
      const refusal = whyNot(me, configCount, values, lists, { create, dashboard });
      setProblem(refusal);
      if (creation.isPending || refusal) return;
      const routing = routingAt(lists.interfaces, values.interfaceId);
      if (!fitsDevice({ ...values, routing }, chosen)) return setProblem(create.phoneLimit);
      creation.mutate(values);
    },
  };
}

function missingIn({ name, services, dns, interfaceId }: Values, { interfaces }: Lists): Missing[] {
  const there: Record<Missing, boolean> = {
    name: name !== "",
    services: services.length > 0,
    dns: dns !== "",
    server: interfaces.length === 0 || interfaceId !== "",
  };
  return (Object.keys(there) as Missing[]).filter((what) => !there[what]);
}

/** Without what the club has removed meanwhile. */
function stillOffered(values: Values, lists: Lists): Values {
  const { dns, interfaceId } = firstValues(lists, values.deviceType);
  const has = (all: readonly { id: string }[], wanted: string) => all.some(({ id }) => id === wanted);
  return {
    ...values,
    services: values.services.filter((id) => has(lists.services, id)),
    dns: has(lists.dns, values.dns) ? values.dns : dns,
    interfaceId: has(lists.interfaces, values.interfaceId) ? values.interfaceId : interfaceId,
  };
}

/** The client's checks, in the specification's order (member's side 5), after the messenger's. */
function whyNot(
  me: Me,
  configCount: number,
  { name, interfaceId }: Values,
  lists: Lists,
  { create, dashboard }: Pick<DeviceText, "create"> & Pick<MemberText, "dashboard">,
) {
  if (!me.isActive) return create.blocked;
  // The panel itself reports a used up quota.
  if (!me.entitlement.allowed && me.entitlement.reason !== "quota") return dashboard.subscriptionNeeded;
  if (me.vpnConfigLimit !== NO_LIMIT && configCount >= me.vpnConfigLimit) return dashboard.limitReached;
  if (whyNotConfigName(name)) return create.nameInvalid;
  if (lists.interfaces.length === 0) return dashboard.noInterfaces;
  const server = lists.interfaces.find(({ id }) => id === interfaceId)?.serverId;
  return server ? null : create.noServerId;
}

/** Wrong characters are reported while typing, a missing name only after an attempt. */
export function nameError(name: string, tried: boolean, create: DeviceText["create"]): string | null {
  const why = whyNotConfigName(name);
  if (!why || (name === "" && !tried)) return null;
  if (why === "config.name_reserved") return create.nameReserved;
  if (why === "config.name_length" && /^[A-Za-z0-9_-]+$/.test(name)) return create.nameLong;
  return create.nameWrong;
}

/** Null if the club leaves something to choose. */
function suggestedValues(lists: Lists, deviceType: Config["deviceType"], taken: readonly string[]): Values | null {
  const values = firstValues(lists, deviceType);
  const services = servicesAtFirst(lists, deviceType);
  if (services.length === 0 || !values.dns || !values.interfaceId) return null;
  return { ...values, name: suggestedName(deviceType, taken), services };
}

function firstValues(lists: Lists, deviceType: Config["deviceType"]): Values {
  const active = lists.interfaces.filter(({ reason }) => reason === null);
  return {
    name: "",
    deviceType,
    services: firstServices(lists, deviceType),
    dns: lists.dns[0]?.id ?? "",
    interfaceId: (active.find(({ isPreferred }) => isPreferred) ?? active[0])?.id ?? "",
    ownKey: false,
  };
}

/** The template's services, or a single service, are preselected. */
function firstServices(lists: Lists, deviceType: Config["deviceType"]): string[] {
  const suggested = suggestedFor(lists, deviceType);
  if (suggested.length > 0) return suggested;
  const offered = lists.services.filter(
    ({ deviceTypes }) => deviceTypes.includes("all") || deviceTypes.includes(deviceType),
  );
  return offered.length === 1 && offered[0] ? [offered[0].id] : [];
}

function bodyOf({ ownKey: _, interfaceId, ...wish }: Values, userId: string, publicKey?: string): NewConfig {
  return { ...wish, userId, ...(interfaceId ? { interfaceId } : {}), ...(publicKey ? { publicKey } : {}) };
}
