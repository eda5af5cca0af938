import type { Db } from "../../../platform/database/database.ts";
import * as repository from "./repository.ts";

/** Texts with which staff start answers. */
export const makeAnswerTemplates = () => ({
  /** For the audit log. */
  names: async (db: Db): Promise<{ id: string; name: string }[]> =>
    (await repository.all(db)).map(({ id, title }) => ({ id, name: title })),
});
