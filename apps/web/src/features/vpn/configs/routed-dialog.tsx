import { Button } from "@mantine/core";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { Sheet } from "../../../ui/sheet.tsx";
import type { Config } from "./queries.ts";
import classes from "./routed-services.module.css";
import { ServicesField } from "./services-field.tsx";
import { useServicesWords } from "./services-words.ts";
import type { ChosenServices } from "./use-chosen-services.ts";
import type { Lists } from "./use-new-config.ts";
import { WhyNot } from "./why-not-switched.tsx";

interface Props {
  config: Config;
  services: Lists["services"];
  choice: ChosenServices;
  onClose: () => void;
}

/** All services of a device whose server routes. Each is switched at once: there is nothing to save. */
export function RoutedDialog({ config, services, choice, onClose }: Props) {
  const words = useServicesWords().routed;
  const { editDevice } = useDevices();
  return (
    <Sheet
      onClose={onClose}
      title={words.titleOf(config.name)}
      footer={
        <Button fullWidth size="lg" onClick={onClose} data-autofocus>
          {editDevice.done}
        </Button>
      }
    >
      <p className={classes.lead}>{config.needsDownload ? words.once : words.stays}</p>
      <ServicesField
        canAsk
        services={services}
        deviceType={config.deviceType}
        routing="server"
        chosen={[...choice.chosen]}
        onChange={choice.choose}
      />
      <WhyNot choice={choice} />
    </Sheet>
  );
}
