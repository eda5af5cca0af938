export type GroupTables = {
  member_groups: {
    id: string;
    name: string;
    /** Lower case: names are unique without regard to it. */
    name_key: string;
    /** JSON list of interfaces that its members may use besides their own; some may no longer exist. */
    interface_ids: string;
    created_at: number;
  };
  group_members: { group_id: string; member_id: string };
};

export type GroupRow = GroupTables["member_groups"];
