import type { StepFailure } from "@krug/contract/vpn/server-setup";
import { counter } from "@krug/domain/plural";

const lines = counter("en", { one: "line", other: "lines" });

export const serverSetup = {
  title: (name: string) => `Set up: ${name}`,
  loading: "Loading...",
  failed: "The progress of the set-up could not be loaded",
  place: {
    label: "Where tunnels run",
    choices: { docker: "In a container (Docker)", system: "Without Docker" },
    leads: {
      docker:
        "Docker from the system's packages; the image is built on the server itself. The firewall stays in the system. Takes about 400 MB of disk.",
      system: "WireGuard in the system itself: needs less disk and memory.",
    },
    why: {
      foreign_docker:
        "The machine already has Docker, which the panel prefers not to touch, so “Without Docker” is chosen.",
      little_memory: "The machine has less than 1 GB of memory, so “Without Docker” is chosen.",
      little_room: "Less than 2 GB of the machine's disk is free, so “Without Docker” is chosen.",
    },
    moves: "To move the tunnels, go through the steps again. Keys and ports stay, and members need no new files.",
    failed: "The tunnels' place could not be changed",
  },
  steps: {
    docker: {
      title: "Install Docker",
      lead: "The panel puts its key and its helper on the machine, checks that nothing is missing, and installs Docker.",
      leadWithout:
        "The panel puts its key and its helper on the machine and checks that nothing is missing. Docker is not needed.",
      begin: "Begin step 1",
    },
    wireguard: {
      title: "Install WireGuard",
      lead: "The panel builds an image from the system's packages, starts the container and has it start after a reboot.",
      leadWithout: "The panel installs packages from the system's repository and has tunnels start after a reboot.",
      begin: "Begin step 2",
    },
    configure: {
      title: "Configure WireGuard",
      lead: "The panel creates the first interface, routes and rules.",
      leadWithout: "The panel creates the first interface, routes and rules.",
      begin: "Begin step 3",
    },
  },
  states: { pending: "Not started yet", running: "Running", success: "Done", error: "Failed" },
  again: (begin: string) => `${begin} again`,
  log: (title: string) => `Log: ${title}`,
  copy: "Copy the log",
  lines: (count: number) => `Log, ${lines(count)}`,
  all: "Set up everything",
  allWhileOpen:
    "The steps follow one another while this window is open. If you close it, only the running step is completed on the server.",
  mayClose: "You can close this window: set-up continues on the server.",
  passwordForgotten: "The panel forgets the password as soon as its own key is on the machine.",
  stop: "Stop",
  stopping: "Stopping...",
  stopsBetween: "The step stops between commands: the running one is completed.",
  stopFailed: "The step could not be stopped",
  beginFailed: "The step could not be started",
  answerLost: "The panel's answer did not arrive. If the step has started, it continues and you will see it here.",
  complete: "The server is ready: configs can be created on it.",
  stages: {
    preflight: () => "Checking the machine",
    packages: () => "Checking which packages are installed",
    installing: (packages: string) => `Installing packages: ${packages}`,
    docker: () => "Checking whether Docker is installed",
    image: () => "Building the image from this machine's packages",
    container: () => "Starting the container",
    leaving_container: () => "Moving the tunnels from the container into the system",
    tunnel: () => "Checking that the machine can make tunnels",
    boot: () => "Preparing the start after a reboot",
    keys: () => "Installing the panel's key and helper",
    interface: () => "Creating the first interface",
    apply: () => "Applying the settings on the machine",
  },
  notes: {
    docker_there: () => "The machine already has Docker. Its settings stay as they are",
    docker_unneeded: () => "Docker is not needed: WireGuard runs in the system itself",
    kernel_tunnels: () => "The kernel has WireGuard",
    userspace_tunnels: () => "The kernel lacks WireGuard: the panel's engine will run the tunnels",
    little_memory: () => "The machine has little memory: it may not be enough for many members",
    foreign_tunnels: (names: string) => `The machine has other tunnels: ${names}. The panel leaves them alone`,
    waiting_for_lock: (program: string) =>
      program === ""
        ? "Another program is installing packages. Waiting for it"
        : `Packages are being installed by ${program}. Waiting for it`,
    broken_sources: (sources: string) =>
      `These package sources of the machine do not work: ${sources}. The needed packages came from others. Correct or remove them`,
  },
  failures: {
    no_connection: "The machine could not be reached. Check that it is on and accepts SSH, and repeat the step.",
    key_refused: "The machine refuses the panel's key. Check that its sshd allows keys, and repeat the step.",
    same_machine:
      "This machine is among the club's servers already: delete one of them or enter another address. If it is another machine made from the same image, it has the other's id. Give it one of its own: tr -d - < /proc/sys/kernel/random/uuid > /etc/machine-id && reboot, and repeat the step.",
    not_root: "The user has no root rights. Give it sudo or enter root in “Edit”, and repeat the step.",
    no_space_docker:
      "Docker and the image need about 1 GB of disk. Free some room or choose “Without Docker”, and repeat the step.",
    no_overlay:
      "The machine's kernel has no overlay file system, without which Docker takes too much room. Choose “Without Docker” and repeat the step.",
    docker_silent:
      "Docker does not start on the machine. Fix the problem shown below (journalctl -u docker) or choose “Without Docker”, and repeat the step.",
    image: "The image could not be built. Fix the problem shown below on the machine, and repeat the step.",
    foreign_container:
      "Another container on the machine has the name that the panel needs. Rename it (docker rename) and repeat the step.",
    container: "The container did not start. Fix the problem shown below on the machine, and repeat the step.",
    no_nftables:
      "nftables does not work on the machine, and access rules need it. Use a machine whose kernel supports it.",
    no_network:
      "The machine cannot connect to its package sources. Check its connection and firewall, and repeat the step.",
    no_names:
      "The machine cannot look up names in DNS, so it cannot download packages. Check its /etc/resolv.conf and repeat the step.",
    broken_source:
      "A package source that is needed does not work on the machine. Correct it in /etc/apt and repeat the step. The source and the reason are shown below.",
    package_lock: "Another program has been installing packages for too long. Wait until it ends and repeat the step.",
    packages: "The packages could not be installed. Fix the problem shown below and repeat the step.",
    interrupted:
      "The step was interrupted: the machine rebooted, or the step was killed there. Repeat it: it continues from here.",
    cancelled: "The step was stopped. Repeat it when you are ready: it continues from here.",
    no_tunnels: "Tunnels do not start on the machine. Repeat step 2, or reboot the machine and repeat this one.",
    no_room: "No port or subnet is free for the interface. Free one on the machine and repeat the step.",
    not_applied: "The settings were not applied on the machine. Check that it answers, and repeat the step.",
    failed: "The step failed. Check the log, fix the cause and repeat the step.",
  } satisfies Record<StepFailure, string>,
};
