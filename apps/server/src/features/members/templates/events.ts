import { eventType } from "../../../platform/events.ts";

/** A template was added, changed or deleted. */
export const templatesChanged = eventType<Record<never, never>>("template.changed");

export const templateDeleted = eventType<{ templateId: string }>("template.deleted");
