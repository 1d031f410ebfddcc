# SPDX-License-Identifier: GPL-2.0-only
# make install    below DESTDIR, PREFIX=/usr/local; LINKS=unique|all|none: which tools are commands, too
# make uninstall  takes away what install put there
# make dist       build/dist/: the commit as a tarball
# make release    build/release/: static binaries, tarball, notices of what is linked in, checksums
# make deb        build/deb/: coretap and coretap-snoops for Debian
# make rpm        build/rpm/: coretap for Fedora and its like
# make check-packages  makes them all, and looks at what is in them

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
UNITDIR ?= $(PREFIX)/lib/systemd/system
LINKS ?= unique

TOOLS := $(APPLETS) $(RECIPES:recipes/%.probe=%)
# a coretap that runs here, where $B/coretap is for another processor
RUN ?= $B/coretap

INSTALL = $QBUILD='$B' TOOLS='$(TOOLS)' LINKS='$(LINKS)' DESTDIR='$(DESTDIR)' BINDIR='$(BINDIR)' \
	MANDIR='$(MANDIR)' DATADIR='$(DATADIR)' BASHDIR='$(BASHDIR)' ZSHDIR='$(ZSHDIR)' FISHDIR='$(FISHDIR)' UNITDIR='$(UNITDIR)' \
	tools/install

.PHONY: install uninstall dist release deb rpm check-packages
install: $B/coretap $B/texts/coretap.8
	$(INSTALL) install
uninstall:
	$(INSTALL) uninstall

$B/texts/coretap.8: $B/coretap tools/texts
	$(call say,TEXTS,$(@D))
	$Qtools/texts $(RUN) $(@D) $(TOOLS)

dist:
	@deploy/dist
release deb rpm:
	+@deploy/$@

check-packages:
	@tools/setup package
	+@tests/run packages

.PHONY: version
version:
	@echo '$(VERSION)'
