import type { StaffTicketAnswer } from "@krug/contract/messages/support";

export type CutDevice = NonNullable<StaffTicketAnswer["lostCut"]>[number];

export const readCut = (written: string | null): CutDevice[] | null =>
  written === null ? null : (JSON.parse(written) as CutDevice[]);

/** `device`: null if there was none to cut. A device that is cut again, for another link, is named once. */
export function withCut(written: string | null, device: CutDevice | null): string {
  const others = (readCut(written) ?? []).filter(({ id }) => id !== device?.id);
  return JSON.stringify(device === null ? others : [...others, { id: device.id, name: device.name }]);
}
