/** The pages behind one-time links, in one file, because the first load names each file that may follow. */
export { SetPassword } from "../features/access/auth/set-password.tsx";
export { HandedConfig } from "../features/vpn/configs/handed-config.tsx";
