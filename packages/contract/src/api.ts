import { accessRules } from "./access-rules.ts";
import { alarms } from "./alarms.ts";
import { answerTemplates } from "./answer-templates.ts";
import { apiTokens } from "./api-tokens.ts";
import { audit } from "./audit.ts";
import { auth } from "./auth.ts";
import { catalog } from "./catalog.ts";
import { configs } from "./configs.ts";
import { emptying } from "./emptying.ts";
import type { AnswerOf, EndpointSpec, SentBody, SentParams, SentQuery } from "./endpoint.ts";
import { guide } from "./guide.ts";
import { inbox } from "./inbox.ts";
import { interfaces } from "./interfaces.ts";
import { invites } from "./invites.ts";
import { live } from "./live.ts";
import { lostDevices } from "./lost-devices.ts";
import { members } from "./members.ts";
import { movingIn } from "./moving-in.ts";
import { notes } from "./notes.ts";
import { outbox } from "./outbox.ts";
import { ownData } from "./own-data.ts";
import { payments } from "./payments.ts";
import { pictures } from "./pictures.ts";
import { push } from "./push.ts";
import { reach } from "./reach.ts";
import { rights } from "./rights.ts";
import { search } from "./search.ts";
import { security } from "./security.ts";
import { serverHistory } from "./server-history.ts";
import { serverSetup } from "./server-setup.ts";
import { servers } from "./servers.ts";
import { settings } from "./settings.ts";
import { statistics } from "./statistics.ts";
import { support } from "./support.ts";
import { system } from "./system.ts";
import { telegram } from "./telegram.ts";
import { templates } from "./templates.ts";
import { traffic } from "./traffic.ts";
import { twoFactor } from "./two-factor.ts";
import { unknownPeers } from "./unknown-peers.ts";
import { webhooks } from "./webhooks.ts";

/** Every call of the product, by feature. */
export const contract = {
  auth,
  twoFactor,
  apiTokens,
  members,
  notes,
  guide,
  alarms,
  invites,
  templates,
  catalog,
  configs,
  traffic,
  payments,
  pictures,
  servers,
  serverSetup,
  serverHistory,
  emptying,
  reach,
  movingIn,
  unknownPeers,
  accessRules,
  interfaces,
  rights,
  live,
  inbox,
  outbox,
  push,
  statistics,
  support,
  lostDevices,
  answerTemplates,
  ownData,
  search,
  security,
  audit,
  settings,
  system,
  telegram,
  webhooks,
};

export type Contract = typeof contract;

type Key<E extends EndpointSpec> = `${E["method"]} ${E["path"]}`;
type Spec<Feature extends keyof Contract, Name extends keyof Contract[Feature]> = Extract<
  Contract[Feature][Name],
  EndpointSpec
>;
type Of<E extends EndpointSpec> = {
  params: SentParams<E>;
  query: SentQuery<E>;
  body: SentBody<E>;
  answer: AnswerOf<E>;
};

/**
 * The contract as a map from `METHOD /path/{param}` to its input and answer, for clients that want the types and no runtime
 * code: `import type { Api } from "@krug/contract/api"`.
 */
export type Api = {
  [Feature in keyof Contract]: {
    [Name in keyof Contract[Feature] as Key<Spec<Feature, Name>>]: Of<Spec<Feature, Name>>;
  };
}[keyof Contract] extends infer Groups
  ? UnionToIntersection<Groups>
  : never;

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never;
