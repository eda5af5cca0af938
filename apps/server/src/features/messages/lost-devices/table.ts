export type LostDeviceTables = {
  lost_devices: {
    /** The member named at the sign-in page. */
    member_id: string;
    asked_at: number;
    /** The ticket in which staff can confirm; null: only the member can, in Telegram. */
    ticket_id: string | null;
  };
};

export type ReportRow = LostDeviceTables["lost_devices"];
