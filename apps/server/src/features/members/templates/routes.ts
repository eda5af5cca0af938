import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "@krug/contract/api";
import type { TemplateAnswer } from "@krug/contract/members/templates";
import { TEMPLATE_FIELDS } from "@krug/domain/fields/template";
import { MOST_TEMPLATES } from "@krug/domain/template-rules";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import { answeredOf, columnsOf, recordedOf } from "../../../platform/described-fields.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { templateDeleted, templatesChanged } from "./events.ts";
import * as repository from "./repository.ts";
import type { TemplateRow } from "./table.ts";

interface Parts extends Platform {
  audit: Audit;
  /** Of features above this one. */
  catalog: {
    services(db: Db | Tx): Promise<readonly { id: string }[]>;
    servicesByIds(db: Db | Tx, ids: readonly string[]): Promise<readonly { id: string }[]>;
  };
  interfaces: {
    all(db: Db | Tx): Promise<readonly { id: string }[]>;
    exist(db: Db | Tx, ids: readonly string[]): Promise<boolean>;
  };
}

export function makeTemplateRoutes(parts: Parts): Handlers<Contract["templates"]> {
  const { db, transact, clock, clubTime, events, audit, catalog, interfaces } = parts;

  /** As shown: without services and an interface that no longer exist. */
  const shown = async (over: Db | Tx) => {
    const services = new Set((await catalog.services(over)).map(({ id }) => id));
    const places = new Set((await interfaces.all(over)).map(({ id }) => id));
    return (row: TemplateRow): TemplateAnswer => {
      const all = answeredOf(TEMPLATE_FIELDS, row, clubTime);
      return {
        ...all,
        id: row.id,
        services: all.services.filter((id) => services.has(id)),
        interfaceId: all.interfaceId !== null && places.has(all.interfaceId) ? all.interfaceId : null,
      };
    };
  };
  /** Checks only changed fields: the rest may no longer exist. */
  const refuseUnknown = async (
    tx: Tx,
    {
      services = [],
      interfaceId,
    }: { services?: readonly string[] | undefined; interfaceId?: string | null | undefined },
  ) => {
    if ((await catalog.servicesByIds(tx, services)).length !== new Set(services).size)
      refuse("service.unknown", { field: "services" });
    if (interfaceId != null && !(await interfaces.exist(tx, [interfaceId])))
      refuse("interface.unknown", { field: "interfaceId" });
  };
  /** After the lock on all templates: names, their number and the default depend on each other. */
  const begin = async (tx: Tx) => {
    await lockPlace(tx, "templates");
    return repository.all(tx);
  };
  const refuseTaken = (all: readonly TemplateRow[], name: string, ownId?: string) => {
    const key = repository.nameKey(name);
    if (all.some((row) => row.name_key === key && row.id !== ownId)) refuse("template.name_taken", { field: "name" });
  };

  return {
    list: async () => (await repository.all(db)).map(await shown(db)),

    add: ({ actor, body }) =>
      transact(async (tx) => {
        const all = await begin(tx);
        if (all.length >= MOST_TEMPLATES) refuse("template.too_many", { most: MOST_TEMPLATES });
        refuseTaken(all, body.name);
        await refuseUnknown(tx, body);
        const row = {
          ...columnsOf(TEMPLATE_FIELDS, body),
          id: randomUUID(),
          name_key: repository.nameKey(body.name),
          created_at: clock.now().getTime(),
        };
        await repository.insert(tx, row);
        if (body.isDefault) await repository.takeDefaultOffOthers(tx, row.id);
        await audit.record(tx, actor.memberId, "template.added", {
          target: row.id,
          after: recordedOf(TEMPLATE_FIELDS, row),
        });
        await events.record(tx, templatesChanged, {});
        return (await shown(tx))(row);
      }),

    change: ({ actor, params, body: { expected, ...input } }) =>
      transact(async (tx) => {
        const all = await begin(tx);
        const before = (await repository.lock(tx, params.id)) ?? refuse("template.not_found");
        const answer = await shown(tx);
        const { id, ...now } = answer(before);
        const fields = changedMeanwhile(now, input, expected);
        if (fields.length > 0) refuse("template.changed_meanwhile", { fields });
        if (input.name !== undefined) refuseTaken(all, input.name, id);
        await refuseUnknown(tx, input);
        // Any change also removes what no longer exists.
        const change = columnsOf(TEMPLATE_FIELDS, { ...now, ...input });
        const after = { ...before, ...change, name_key: repository.nameKey(input.name ?? now.name) };
        if (isDeepStrictEqual(after, before)) return answer(before);
        await repository.update(tx, id, after);
        if (input.isDefault === true) await repository.takeDefaultOffOthers(tx, id);
        await audit.record(tx, actor.memberId, "template.changed", {
          target: id,
          before: recordedOf(TEMPLATE_FIELDS, before),
          after: recordedOf(TEMPLATE_FIELDS, after),
        });
        await events.record(tx, templatesChanged, {});
        return answer(after);
      }),

    remove: ({ actor, params }) =>
      transact(async (tx) => {
        await begin(tx);
        const row = (await repository.lock(tx, params.id)) ?? refuse("template.not_found");
        await events.record(tx, templateDeleted, { templateId: row.id });
        await repository.remove(tx, row.id);
        await audit.record(tx, actor.memberId, "template.deleted", {
          target: row.id,
          before: recordedOf(TEMPLATE_FIELDS, row),
        });
        await events.record(tx, templatesChanged, {});
      }),
  };
}
