import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { audit as auditEn } from "./words-en.ts";
import { audit as auditRu } from "./words-ru.ts";

/** What the audit log says of acts and of what they changed: both languages are loaded with it. */
export const auditWords = bothLanguages(auditRu, auditEn);

export type AuditWords = typeof auditRu;

export const useAuditWords = () => auditWords[useSpeech().language];
