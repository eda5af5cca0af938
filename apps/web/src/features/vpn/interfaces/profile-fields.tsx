import { AMNEZIA_APPS } from "@krug/wireguard/amneziawg-apps";
import { NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { SERVERS } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";

export interface NewProfile {
  preset: "dns" | "ordinary" | "mobile" | "quic";
  version: "3.1" | "2.0";
}

export const FIRST_PROFILE: NewProfile = { preset: "dns", version: "3.1" };

interface Props {
  serverId: string;
  profile: NewProfile;
  onChange: (profile: NewProfile) => void;
}

const CHEVRON = <IconChevronDown size={20} stroke={1.6} aria-hidden="true" />;

/** A new AmneziaWG profile's look and version, and whether the machine can run it at all. */
export function ProfileFields({ serverId, profile, onChange }: Props) {
  const words = useAmneziaWords();
  const machine = useQuery({
    queryKey: [...SERVERS, "amneziawg", serverId],
    queryFn: ({ signal }) => api("GET /admin/servers/{id}/amneziawg", { params: { id: serverId }, signal }),
  });
  return (
    <>
      {machine.data?.why != null && (
        <Banner tone="broken" live title={words.lacks}>
          <Reason why={machine.data.why} />
        </Banner>
      )}
      <NativeSelect
        label={words.preset}
        description={words.presetHints[profile.preset]}
        rightSection={CHEVRON}
        data={Object.entries(words.presets).map(([value, label]) => ({ value, label }))}
        value={profile.preset}
        onChange={(event) => onChange({ ...profile, preset: event.currentTarget.value as NewProfile["preset"] })}
      />
      <Segments
        label={words.version}
        value={profile.version}
        onChange={(version) => onChange({ ...profile, version })}
        choices={(["3.1", "2.0"] as const).map((value) => ({ value, label: words.versions[value] }))}
      />
      <Hint>
        {words.versionHint} {newEnough(profile.version)}
      </Hint>
      {machine.data?.module != null && <Hint>{words.module(machine.data.module)}</Hint>}
    </>
  );
}

const PLATFORMS = { android: "Android", ios: "iOS", macos: "macOS", windows: "Windows", linux: "Linux", router: null };

/** 'AmneziaWG (Android) 3.1…, AmneziaVPN 5.0.1.5'. */
const newEnough = (version: NewProfile["version"]): string =>
  AMNEZIA_APPS.filter(({ since }) => since[version] !== undefined)
    .map(({ name, platforms: [first, ...others], since }) => {
      const platform = first !== undefined && others.length === 0 ? PLATFORMS[first] : null;
      return [name, platform && `(${platform})`, since[version]].filter(Boolean).join(" ");
    })
    .join(", ");
