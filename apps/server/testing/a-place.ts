import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type S3Double, startS3Double } from "./s3-double.ts";
import { type SftpDouble, startSftpDouble } from "./sftp-double.ts";

/** A folder that is removed with the test. */
export function aFolder(name = "krug-place-"): string {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The settings for a place, with the double at the other end. */
export async function anSftpServer(): Promise<{
  double: SftpDouble;
  root: string;
  environment: Record<string, string>;
}> {
  const [folder, root] = [aFolder(), aFolder()];
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, "sftp password\n");
  const double = await startSftpDouble(root, { password: "sftp password" });
  onTestFinished(() => double.close());
  const environment = {
    BACKUP_SFTP: `sftp://club@127.0.0.1:${double.port}/krug`,
    BACKUP_SFTP_HOST_KEY: double.fingerprint,
    BACKUP_SFTP_PASSWORD_FILE: passwordFile,
  };
  return { double, root: join(root, "krug"), environment };
}

export async function anS3Storage(more: { pageSize?: number } = {}): Promise<{
  double: S3Double;
  environment: Record<string, string>;
}> {
  const secretFile = join(aFolder(), "secret");
  const secret = "s3 secret/with+signs=";
  writeFileSync(secretFile, `${secret}\n`);
  const region = "eu-central-1";
  const double = await startS3Double({ bucket: "the-bucket", region, accessKey: "AKIDEXAMPLE", secret, ...more });
  onTestFinished(() => double.close());
  const environment = {
    BACKUP_S3: `${double.origin}/the-bucket/club/krug`,
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY: "AKIDEXAMPLE",
    BACKUP_S3_SECRET_FILE: secretFile,
  };
  return { double, environment };
}
