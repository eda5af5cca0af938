import { makeWords } from "../../../lib/i18n/words.ts";
import { audit as auditRu } from "./words-ru.ts";

/** The audit log's texts for actions and changes. */
export const useAuditWords = makeWords(auditRu, () => import("./words-en.ts").then(({ audit }) => audit));

export type AuditWords = typeof auditRu;
