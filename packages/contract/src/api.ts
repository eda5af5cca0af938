import { apiTokens } from "./access/api-tokens.ts";
import { auth } from "./access/auth.ts";
import { invites } from "./access/invites.ts";
import { passkeys } from "./access/passkeys.ts";
import { security } from "./access/security-gate.ts";
import { twoFactor } from "./access/two-factor.ts";
import { audit } from "./club/audit.ts";
import { rights } from "./club/rights.ts";
import { settings } from "./club/settings.ts";
import type { AnswerOf, EndpointSpec, SentBody, SentParams, SentQuery } from "./endpoint.ts";
import { dataExport } from "./members/data-export.ts";
import { groups } from "./members/groups.ts";
import { memberImport } from "./members/member-import.ts";
import { members } from "./members/members.ts";
import { notes } from "./members/notes.ts";
import { pictures } from "./members/pictures.ts";
import { templates } from "./members/templates.ts";
import { answerTemplates } from "./messages/answer-templates.ts";
import { inbox } from "./messages/inbox.ts";
import { live } from "./messages/live.ts";
import { lostDevices } from "./messages/lost-devices.ts";
import { outbox } from "./messages/outbox.ts";
import { push } from "./messages/push.ts";
import { support } from "./messages/support.ts";
import { telegram } from "./messages/telegram.ts";
import { webhooks } from "./messages/webhooks.ts";
import { payments } from "./money/payments.ts";
import { alarms } from "./operation/alarms.ts";
import { guide } from "./operation/guide.ts";
import { pulse } from "./operation/pulse.ts";
import { search } from "./operation/search.ts";
import { statistics } from "./operation/statistics.ts";
import { system } from "./operation/system.ts";
import { accessRules } from "./vpn/access-rules.ts";
import { catalog } from "./vpn/catalog.ts";
import { configs } from "./vpn/configs.ts";
import { drain } from "./vpn/drain.ts";
import { exits } from "./vpn/exits.ts";
import { fileLinks } from "./vpn/file-links.ts";
import { imports } from "./vpn/import.ts";
import { interfaces } from "./vpn/interfaces.ts";
import { oldPrograms } from "./vpn/old-programs.ts";
import { outageDetection } from "./vpn/outage-detection.ts";
import { serverHistory } from "./vpn/server-history.ts";
import { serverSetup } from "./vpn/server-setup.ts";
import { servers } from "./vpn/servers.ts";
import { sources } from "./vpn/sources.ts";
import { traffic } from "./vpn/traffic.ts";
import { unknownPeers } from "./vpn/unknown-peers.ts";

/** Every call of the product, by feature. */
export const contract = {
  auth,
  twoFactor,
  passkeys,
  apiTokens,
  members,
  groups,
  memberImport,
  notes,
  guide,
  alarms,
  pulse,
  invites,
  templates,
  catalog,
  sources,
  configs,
  fileLinks,
  traffic,
  payments,
  pictures,
  servers,
  serverSetup,
  serverHistory,
  drain,
  outageDetection,
  imports,
  oldPrograms,
  unknownPeers,
  accessRules,
  interfaces,
  exits,
  rights,
  live,
  inbox,
  outbox,
  push,
  statistics,
  support,
  lostDevices,
  answerTemplates,
  dataExport,
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
