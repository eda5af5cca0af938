import type { Db, Tx } from "../../../platform/database/database.ts";
import * as repository from "./repository.ts";
import type { TemplateRow } from "./table.ts";

export { templateDeleted, templatesChanged } from "./events.ts";
export type { TemplateRow } from "./table.ts";

export type Templates = ReturnType<typeof makeTemplates>;

/** Templates: what new members start with (ADR 52). */
export function makeTemplates() {
  return {
    /** It cannot be deleted before the transaction ends; undefined if there is no such template. */
    hold: repository.hold,
    names: async (db: Db): Promise<{ id: string; name: string }[]> =>
      (await repository.all(db)).map(({ id, name }) => ({ id, name })),
    /** The template for a new member with this template's id, or with none: else the default, if there is one. */
    forNewMember: async (tx: Tx, templateId: string | null): Promise<TemplateRow | undefined> =>
      (templateId === null ? undefined : await repository.hold(tx, templateId)) ?? repository.theDefault(tx),
    /** Records what members start their next configs with: whatever happens to the template, they keep it. */
    async begin(tx: Tx, memberIds: readonly string[], template: TemplateRow | undefined): Promise<void> {
      if (template === undefined) return;
      const { name, service_ids, interface_id } = template;
      await repository.writeOfMembers(
        tx,
        memberIds.map((member_id) => ({ member_id, name, service_ids, interface_id })),
      );
    },
    forgetMember: repository.removeOfMember,
    /** What the member started with; some of it may no longer exist. */
    async begunWith(
      db: Db | Tx,
      memberId: string,
    ): Promise<{ name: string; serviceIds: string[]; interfaceId: string | null } | undefined> {
      const row = await repository.ofMember(db, memberId);
      return (
        row && {
          name: row.name,
          serviceIds: JSON.parse(row.service_ids) as string[],
          interfaceId: row.interface_id,
        }
      );
    },
  };
}
