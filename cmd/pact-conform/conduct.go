package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pact-conform/pact-conform/harness/config"
	"github.com/pact-conform/pact-conform/harness/engine"
	"github.com/pact-conform/pact-conform/harness/evidence"
	"github.com/pact-conform/pact-conform/harness/result"
	"github.com/pact-conform/pact-conform/harness/session"
	"github.com/pact-conform/pact-conform/reports/folder"
	"github.com/pact-conform/pact-conform/reports/terminal"
	"github.com/pact-conform/pact-conform/suites/catalog"
)

// job is a run, decided in every respect.
type job struct {
	engine   *engine.Engine
	profiles []string
	config   *config.Config
	settings result.Settings
	screen   terminal.Options
}

// conduct makes the run, tells it, writes its report, and ends with its exit code. Whatever keeps
// the report from being written is found out before anything is sent, where it can be.
func conduct(ctx context.Context, j job) (err error) {
	if err := folder.Probe(j.config.Report.Dir); err != nil {
		return &ending{result.ExitUsage, err}
	}
	keepWriting()
	reporter := terminal.New(terminal.Detect(os.Stdout, os.Getenv), j.screen)
	ctx, uninterrupted := interruptible(ctx, reporter)
	defer uninterrupted()

	user := j.engine.Needs(engine.NeedBrowser, engine.NeedPage)
	s, err := session.Open(ctx, j.config, session.Options{Version: toolVersion(), User: user, Out: aside{reporter}})
	switch {
	case errors.Is(err, session.ErrRegistration):
		return &ending{result.ExitError, err}
	case err != nil:
		return &ending{result.ExitUsage, err}
	}
	defer func() {
		if closing := s.Close(); closing != nil && err == nil {
			err = broken("%w", closing)
		}
	}()
	j.settings.Concurrency, j.settings.MaxWait = s.Setup.Settings.Concurrency, s.Setup.Settings.MaxWait
	s.Setup.Settings = j.settings
	masker := evidence.NewMasker(j.config.Secrets()...)
	if !j.screen.Quiet {
		reporter.Say(masker.Text(fmt.Sprintf("pact-conform %s: PACT 1.0 %s, %d cases, %s",
			toolVersion(), strings.Join(j.profiles, " and "), len(j.engine.Cases()), j.config.Brand.Card)))
		if user && s.Setup.Chromium == nil && s.Setup.Player == nil {
			reporter.Say("Nobody can decide, and no page is read: " + s.Setup.NoPages)
		}
	}
	if text := acting(j.engine, &s.Setup.Prompts); text != "" {
		reporter.Say(masker.Text(text))
	}

	run := show(j.engine, newWatch(reporter, j.engine, j.settings), func(watch engine.Observer) *result.Run {
		return j.engine.Run(ctx, s.Setup, watch)
	})
	run.Catalogue = catalog.Identity()
	if note := refusedNote(run, &s.Setup, j.config.Agents.Keys == ""); note != "" {
		run.Notes = append(run.Notes, masker.Text(note))
	}
	run.Conclude(j.profiles...)

	// The report first: nobody may see a verdict that nothing stands behind.
	written := folder.Write(j.config.Report.Dir, run)
	shown := j.config.Report.Dir
	if written != nil {
		shown = ""
	}
	if err := reporter.Summary(run, shown); err != nil {
		fmt.Fprintln(os.Stderr, complaint(fmt.Errorf("the summary could not be shown: %w", err)))
	}
	if written != nil {
		return &ending{result.ExitError, written}
	}
	return ended(run.ExitCode)
}

// aside lets others write to the screen of a run, above what is written over.
type aside struct{ reporter *terminal.Reporter }

func (a aside) Write(p []byte) (int, error) {
	a.reporter.Say(strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}
