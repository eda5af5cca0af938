package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// control is the socket on which a tunnel is asked and set, in the language of wireguard-go's (UAPI).
type control struct {
	listener net.Listener
	watch    *os.File
	gone     chan struct{} // closed when somebody removed the socket, which is a way to end a tunnel
	close    sync.Once
}

func listen(folder, name string) (*control, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name+".sock")
	listener, err := listenOnlyForOwner(path)
	if errors.Is(err, unix.EADDRINUSE) {
		if other, err := net.Dial("unix", path); err == nil {
			other.Close()
			return nil, fmt.Errorf("%s is in use", path)
		}
		// Left by one that was killed.
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		listener, err = listenOnlyForOwner(path)
	}
	if err != nil {
		return nil, err
	}
	watch, err := watchFor(path)
	if err != nil {
		listener.Close()
		return nil, err
	}
	socket := &control{listener: listener, watch: watch, gone: make(chan struct{})}
	go func() {
		var events [unix.SizeofInotifyEvent + unix.NAME_MAX + 1]byte
		for {
			if _, err := os.Lstat(path); err != nil {
				close(socket.gone)
				return
			}
			if _, err := watch.Read(events[:]); err != nil {
				return
			}
		}
	}()
	return socket, nil
}

func listenOnlyForOwner(path string) (net.Listener, error) {
	before := unix.Umask(0o177)
	defer unix.Umask(before)
	return net.Listen("unix", path)
}

func watchFor(path string) (*os.File, error) {
	descriptor, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, err
	}
	if _, err := unix.InotifyAddWatch(descriptor, path, unix.IN_ATTRIB|unix.IN_DELETE_SELF); err != nil {
		unix.Close(descriptor)
		return nil, err
	}
	return os.NewFile(uintptr(descriptor), "inotify"), nil
}

func (socket *control) Close() {
	socket.close.Do(func() {
		socket.watch.Close()
		socket.listener.Close()
	})
}

func (socket *control) serve(tunnel tunnel) {
	for {
		asking, err := socket.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Second / 10) // such as no file left to open
			continue
		}
		go func() {
			defer asking.Close()
			answer(asking, tunnel)
		}()
	}
}

// answer takes one question after another until who asks hangs up.
func answer(asking io.ReadWriter, tunnel tunnel) {
	questions := bufio.NewReader(asking)
	for {
		line, err := questions.ReadString('\n')
		if err != nil {
			return
		}
		answers := bufio.NewWriter(asking)
		switch line {
		case "get=1\n":
			if _, err = questions.ReadString('\n'); err == nil {
				err = tunnel.IpcGetOperation(answers)
			}
		case "set=1\n":
			err = tunnel.IpcSetOperation(questions)
		default:
			return
		}
		fmt.Fprintf(answers, "errno=%d\n\n", numberOf(err))
		if answers.Flush() != nil {
			return
		}
	}
}

func numberOf(err error) int64 {
	var told interface{ ErrorCode() int64 }
	switch {
	case err == nil:
		return 0
	case errors.As(err, &told):
		return told.ErrorCode()
	}
	return -int64(unix.EIO)
}
