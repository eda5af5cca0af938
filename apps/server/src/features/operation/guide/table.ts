export type GuideTables = {
  guide_dismissals: { member_id: string; at: number };
};
