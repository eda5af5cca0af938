import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { audit as auditEn } from "./words-en.ts";
import { audit as auditRu } from "./words-ru.ts";

/** The audit log's texts for actions and changes. Both languages load with it. */
export const auditWords = bothLanguages(auditRu, auditEn);

export type AuditWords = typeof auditRu;

export const useAuditWords = () => auditWords[useSpeech().language];
