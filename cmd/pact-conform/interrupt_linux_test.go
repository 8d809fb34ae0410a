package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/pact-conform/pact-conform/harness/result"
)

func TestASecondCtrlCEndsTheRunAtOnce(t *testing.T) {
	g := NewWithT(t)
	s := serving(t, nil)
	// Nobody reads the output, and there is no room for all of it: the run cannot end in order.
	unread, out, err := os.Pipe()
	g.Expect(err).NotTo(HaveOccurred())
	defer unread.Close()
	_, err = unix.FcntlInt(out.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize())
	g.Expect(err).NotTo(HaveOccurred())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := command(ctx, s.dir, nil, soon, "--verbose")
	cmd.Stdout = out
	g.Expect(cmd.Start()).To(Succeed())
	g.Expect(out.Close()).To(Succeed())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	g.Eventually(s.count, patience).Should(BeNumerically(">", 50), "the run is in the middle")
	g.Eventually(func() <-chan struct{} {
		_ = cmd.Process.Signal(os.Interrupt)
		return ended
	}, patience).Should(BeClosed())
	g.Expect(cmd.ProcessState.ExitCode()).To(Equal(result.ExitError))
	g.Expect(filepath.Join(s.dir, "pact-conform-report")).NotTo(BeADirectory())
}
