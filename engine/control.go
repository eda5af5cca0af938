package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"krug/engine/network"
)

// control is a tunnel's control socket, which speaks wireguard-go's protocol (UAPI).
type control struct {
	listener net.Listener
	watch    *os.File
	gone     chan struct{} // closed when the socket file is removed, which also ends the tunnel
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
		// Left by a killed process.
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

func (socket *control) serve(tunnel *tunnel) {
	for {
		asking, err := socket.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Second / 10) // for example, no free file descriptors
			continue
		}
		go func() {
			defer asking.Close()
			answerAll(asking, tunnel)
		}()
	}
}

// answerAll answers one request after another until the client hangs up.
func answerAll(asking io.ReadWriter, tunnel *tunnel) {
	questions := bufio.NewReader(asking)
	answers := bufio.NewWriter(asking)
	for {
		line, err := questions.ReadString('\n')
		if err != nil {
			return
		}
		answer, isKnown := operations[line]
		if !isKnown || tunnel.network == nil && !ofEveryTunnel[line] {
			return
		}
		err = answer(tunnel, questions, answers)
		fmt.Fprintf(answers, "errno=%d\n\n", numberOf(err))
		if answers.Flush() != nil {
			return
		}
		if line == "stop=1\n" && err == nil {
			tunnel.stop()
			return
		}
	}
}

var ofEveryTunnel = map[string]bool{"get=1\n": true, "set=1\n": true}

// A request begins with one of these lines and ends with an empty one.
var operations = map[string]func(*tunnel, *bufio.Reader, *bufio.Writer) error{
	"get=1\n": func(tunnel *tunnel, question *bufio.Reader, answer *bufio.Writer) error {
		if err := theEnd(question); err != nil {
			return err
		}
		return tunnel.IpcGetOperation(answer)
	},
	"set=1\n": func(tunnel *tunnel, question *bufio.Reader, _ *bufio.Writer) error {
		return tunnel.set(question)
	},
	"network=1\n": func(tunnel *tunnel, question *bufio.Reader, _ *bufio.Writer) error {
		return withLine(question, tunnel.network.Apply)
	},
	"speeds=1\n": func(tunnel *tunnel, question *bufio.Reader, _ *bufio.Writer) error {
		return withLine(question, tunnel.network.Limit)
	},
	"speeds?=1\n": func(tunnel *tunnel, question *bufio.Reader, answer *bufio.Writer) error {
		if err := theEnd(question); err != nil {
			return err
		}
		fmt.Fprintf(answer, "speeds=%s\n", tunnel.network.Limited())
		return nil
	},
	"network?=1\n": func(tunnel *tunnel, question *bufio.Reader, answer *bufio.Writer) error {
		if err := theEnd(question); err != nil {
			return err
		}
		fmt.Fprintf(answer, "sha256=%s\nspeeds=%s\nflows=%d\nmemory=%d\n", tunnel.network.Applied(), sumOf(tunnel.network.Limited()),
			tunnel.network.Flows(), network.MemoryInUse())
		return nil
	},
	"stop=1\n": func(_ *tunnel, question *bufio.Reader, _ *bufio.Writer) error { return theEnd(question) },
}

// sumOf is empty for nothing.
func sumOf(line []byte) string {
	if len(line) == 0 {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(line))
}

func withLine(question *bufio.Reader, act func([]byte) error) error {
	line, err := readLine(question, longestLine)
	if err != nil {
		return err
	}
	if err := theEnd(question); err != nil {
		return err
	}
	return act(line)
}

const longestLine = 8 << 20

var errInvalid = unix.EINVAL

func theEnd(question *bufio.Reader) error {
	line, err := readLine(question, 0)
	if err == nil && len(line) != 0 {
		err = errInvalid
	}
	return err
}

// readLine returns a line without its end, and fails if it is longer than the limit.
func readLine(question *bufio.Reader, longest int) ([]byte, error) {
	var line []byte
	for {
		piece, err := question.ReadSlice('\n')
		if len(line)+len(piece) > longest+1 {
			return nil, errInvalid
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte{'\n'}), err
		}
	}
}

// set configures the device. The network then gets the actual peers, even if only some of the settings were accepted.
func (tunnel *tunnel) set(question io.Reader) error {
	if tunnel.network == nil {
		return tunnel.IpcSetOperation(question)
	}
	tunnel.setting.Lock()
	defer tunnel.setting.Unlock()
	failed := tunnel.IpcSetOperation(question)
	var peers bytes.Buffer
	if err := tunnel.IpcGetOperation(&peers); err != nil {
		return err
	}
	if err := tunnel.network.PeersAre(&peers); err != nil {
		return err
	}
	return failed
}

func numberOf(err error) int64 {
	var told interface{ ErrorCode() int64 }
	var number syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &told):
		return told.ErrorCode()
	case errors.As(err, &number):
		return -int64(number)
	}
	return -int64(unix.EINVAL)
}
