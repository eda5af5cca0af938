export type BackupTables = {
  scheduled_backups: {
    one: 1;
    since: number;
    tried_at: number | null;
    good_at: number | null;
    bytes: number | null;
    problem: string | null;
    told_at: number | null;
  };
};

export type BackupRow = BackupTables["scheduled_backups"];
