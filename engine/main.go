// Runs one WireGuard or AmneziaWG tunnel like wireguard-go: `krug-engine --foreground --type wireguard NAME` creates
// the interface and listens on its control socket until the process ends or the interface is removed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"

	"golang.org/x/sys/unix"
)

// A valid interface name for the kernel that is also a safe file name in any shell.
var interfaceName = regexp.MustCompile(`^[A-Za-z0-9_=+-][A-Za-z0-9_=+.-]{0,14}$`)

type wish struct {
	name        string
	kind        string
	sockets     string
	isUserspace bool
	isDebug     bool
}

func main() {
	wished, err := readArguments(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := run(wished); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readArguments(given []string) (wish, error) {
	wished := wish{isDebug: os.Getenv("LOG_LEVEL") == "debug"}
	flags := flag.NewFlagSet("krug-engine", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "Usage: krug-engine --foreground [options] INTERFACE-NAME")
		flags.PrintDefaults()
	}
	foreground := flags.Bool("foreground", false, "stay with who started it, which is the only way it runs")
	flags.BoolVar(foreground, "f", false, "as --foreground")
	flags.StringVar(&wished.kind, "type", amneziawg, wireguard+" or "+amneziawg)
	flags.BoolVar(&wished.isUserspace, "userspace-networking", false, "make no interface: carry traffic on by ordinary sockets, without any privilege")
	flags.StringVar(&wished.sockets, "sockets", "", "folder of the control socket (default /var/run/ and the type)")
	if err := flags.Parse(given); err != nil {
		return wish{}, err
	}
	if !*foreground || flags.NArg() != 1 {
		flags.Usage()
		return wish{}, errors.New("one name, and --foreground")
	}
	wished.name = flags.Arg(0)
	if !interfaceName.MatchString(wished.name) {
		return wish{}, fmt.Errorf("no name of an interface: %q", wished.name)
	}
	if wished.kind != wireguard && wished.kind != amneziawg {
		return wish{}, fmt.Errorf("no type of tunnel: %q", wished.kind)
	}
	if wished.sockets == "" {
		wished.sockets = filepath.Join("/var/run", wished.kind)
	}
	return wished, nil
}

func run(wished wish) error {
	socket, err := listen(wished.sockets, wished.name)
	if err != nil {
		return fmt.Errorf("no control socket: %w", err)
	}
	defer socket.Close()
	tunnel, err := newTunnel(wished)
	if err != nil {
		return err
	}
	defer tunnel.Close()

	asked := make(chan os.Signal, 1)
	signal.Notify(asked, unix.SIGTERM)
	if wished.isUserspace {
		// Ctrl-C is meant for the parent process; its tunnels outlive it.
		signal.Ignore(unix.SIGINT)
	} else {
		signal.Notify(asked, unix.SIGINT)
	}
	go socket.serve(tunnel)
	select {
	case <-asked:
	case <-socket.gone:
	case <-tunnel.stopped.Done():
	case <-tunnel.Wait():
	}
	return nil
}
