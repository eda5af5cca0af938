// Runs one AmneziaWG tunnel, as wireguard-go runs one of WireGuard: `amneziawg-go --foreground NAME` makes the interface and
// listens on its control socket until it ends, or the interface goes.
package main

import (
	"fmt"
	"os"
	"os/signal"

	"github.com/metacubex/amneziawg-go/device"
	"github.com/metacubex/wireguard-go/conn"
	wireguard "github.com/metacubex/wireguard-go/device"
	"github.com/metacubex/wireguard-go/ipc"
	"golang.org/x/sys/unix"
	"golang.zx2c4.com/wireguard/tun"
)

func main() {
	if len(os.Args) != 3 || (os.Args[1] != "-f" && os.Args[1] != "--foreground") {
		fmt.Fprintf(os.Stderr, "Usage: %s --foreground INTERFACE-NAME\n", os.Args[0])
		os.Exit(2)
	}
	if err := run(os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(name string) error {
	link, err := tun.CreateTUN(name, wireguard.DefaultMTU)
	if err != nil {
		return fmt.Errorf("no tunnel device: %w", err)
	}
	file, err := ipc.UAPIOpen(name)
	if err != nil {
		return fmt.Errorf("no control socket: %w", err)
	}
	control, err := ipc.UAPIListen(name, file)
	if err != nil {
		return fmt.Errorf("no control socket: %w", err)
	}
	level := wireguard.LogLevelError
	if os.Getenv("LOG_LEVEL") == "debug" {
		level = wireguard.LogLevelVerbose
	}
	tunnel := device.NewDevice(adapt(link), conn.NewDefaultBind(), wireguard.NewLogger(level, "("+name+") "), 0)

	ended := make(chan error, 1)
	go func() {
		for {
			asking, err := control.Accept()
			if err != nil {
				ended <- err
				return
			}
			go tunnel.IpcHandle(asking)
		}
	}()
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, unix.SIGTERM, unix.SIGINT)
	select {
	case <-asked:
	case <-ended:
	case <-tunnel.Wait():
	}
	control.Close()
	tunnel.Close()
	return nil
}
