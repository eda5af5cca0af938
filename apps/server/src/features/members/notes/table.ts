export type NoteTables = {
  member_notes: {
    id: string;
    member_id: string;
    author_id: string;
    content: string;
    created_at: number;
  };
};

export type NoteRow = NoteTables["member_notes"];
