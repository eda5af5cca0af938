import { audit as auditEn } from "./en/audit.ts";
import { audit as auditRu } from "./ru/audit.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the audit log says of acts and of what they changed: both languages are loaded with it. */
export const auditWords = bothLanguages(auditRu, auditEn);

export type AuditWords = typeof auditRu;

export const useAuditWords = () => auditWords[useSpeech().language];
