# SPDX-License-Identifier: GPL-2.0-only
# make            build/coretap, static, and a symlink beside it for each applet
# make demo       the main jobs on a real kernel in a throw-away guest (HERE=1: on this one)
# make test       everything: installs what it lacks, then check, packages, guests, other processors
# make check      no root, no guest: unit, golden, cli, the kernel surface
# make check-live real kernels in guests; KERNELS="6.1 6.12" picks
# make check-load every program, loaded on every kernel that Debian has (KERNELS= FEW= SETTINGS=)
# make check-other  arm64: build, unit and golden tests, by an emulator; a smoke test on kernels
# make check-arm64  live tests on kernels of arm64, in guests, for an hour
# make check-riscv64  riscv64: the same as check-other, for a quarter of an hour; check-ppc64el, too
# make kernels    builds kernels that Debian does not have: no ftrace, kCFI, full preemption, … (VERSION=), for hours
# make check-kernels  every program loaded on these, and the smoke test
# make bench      instructions per event, in a guest
# make bench-bt   the same of bt beside bpftrace
# make bench-peers  the same of our tools beside those of libbpf-tools and bpftrace, and when each is ready
# make soak       tracers under floods for minutes (MINUTES= KERNELS= SEED=)
# make asan       unit and cli tests with sanitizers
# make fuzz       expressions, notations, damaged files, with sanitizers (FUZZ_INPUTS= SEED=)
# make format     C as .clang-format has it
# make docs       writes what documents derive from the source: schema, totals, tables, docs/tools
# make clean      removes build/
#
# CROSS=aarch64-linux-gnu-: for that processor, in build/arm64; riscv64-linux-gnu-, powerpc64le-linux-gnu-, too

CROSS ?=
ifneq ($(CROSS),)
CC := $(CROSS)gcc
endif
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
DEBIAN_ARCH := $(patsubst x86_64,amd64,$(patsubst aarch64,arm64,$(patsubst powerpc64le,ppc64el,$(MACHINE))))
B := build$(if $(CROSS),/$(DEBIAN_ARCH))
CLANG ?= clang
BPFTOOL ?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
# as libbpf's macros call it
ARCH := $(patsubst amd64,x86,$(patsubst riscv64,riscv,$(patsubst ppc64el,powerpc,$(DEBIAN_ARCH))))
HOSTCC ?= cc
TRIPLET := $(shell $(CC) -print-multiarch)
VERSION := $(shell tools/version)
DATE := $(or $(if $(SOURCE_DATE_EPOCH),$(shell date -u -d @$(SOURCE_DATE_EPOCH) +%F)),$(shell tools/version --date),$(shell date -u -r Makefile +%F))
# Defaults of the developer are not those of the tests.
export CORETAP_CONFIG :=
export CORETAP_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/coretap
# headers and libraries of another architecture
ifneq ($(CROSS),)
SYSROOT ?= $(or $(shell tools/fetch-sysroot $(DEBIAN_ARCH)),$(error no sysroot for $(DEBIAN_ARCH)))
endif

comma := ,
V ?= 0
Q := $(if $(filter 0,$V),@)
silent := $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(filter 0,$V),$(if $(silent),,@printf '  %-8s %s\n' $1 $2))

CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wno-missing-field-initializers $(if $(CI),-Werror)
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(CFLAGS) $(WARN) -ffunction-sections -fdata-sections \
	-Iinclude -Isrc -I$B -I$B/bpf -include linux/types.h -ffile-prefix-map=$(CURDIR)=. \
	-fno-asynchronous-unwind-tables -fno-pie $(COMPACT) -MMD -MP $(SAN) $(SYSTEM)
# no padding and no second copy of a branch: 170 KB of the binary; make bench sees at most 1.5 % of what the tools print
COMPACT := -falign-functions=1 -falign-jumps=1 -falign-loops=1 -falign-labels=1 -fno-inline-functions \
	-freorder-blocks-algorithm=simple -fno-tree-pre -fno-tree-ch -fno-jump-tables \
	-fno-tree-dominator-opts -fno-caller-saves
# its own C library, whatever the compiler came with
SYSTEM := $(if $(CROSS),--sysroot=$(SYSROOT) -B$(SYSROOT)/usr/lib/$(TRIPLET))
LDFLAGS += $(SYSTEM) -no-pie $(if $(SAN),,-static) -Wl,--gc-sections \
	-Wl,-z,noseparate-code -Wl,--build-id=none $(SAN)
LDLIBS := -lpcap -lbpf -liberty -lelf -lz -lzstd -llzma -llz4
BPF_CFLAGS := -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(ARCH) -Wall -Werror -Iinclude -Ivmlinux -Ibpf \
	-I$(SYSROOT)/usr/include/$(TRIPLET) -ffile-prefix-map=$(CURDIR)=. -MMD -MP

RECIPES := $(sort $(wildcard recipes/*.probe))
PARTS := $(sort $(wildcard recipes/*.part))
APPLETS := $(shell sed -n 's/^APPLET(\(.*\))/\1/p' src/applets.def)
SRC := $(wildcard src/*.c src/*/*.c src/*/*/*.c)
PACKED := $(addprefix $B/,$(addsuffix .o,recipes syscall_tables samples find_words tutorial view habits skel_prefix))
OBJ := $(SRC:%.c=$B/%.o) $(PACKED)
# what unit tests link with
LIB_OBJ := $(filter-out $B/src/main.o,$(OBJ))
SKEL := $(patsubst bpf/%.bpf.c,$B/bpf/%.skel.h,$(wildcard bpf/*.bpf.c)) $B/bpf/surface.skel.h

.PHONY: all
all: $B/coretap $(APPLETS:%=$B/%) $(RECIPES:recipes/%.probe=$B/%)

.PRECIOUS: $B/tools/% $B/%.o $B/bpf/%.bpf.o $B/bpf/%.skel.h
.DELETE_ON_ERROR:

$B/coretap: $B/coretap.debug
	$(call say,STRIP,$@)
	$Q$(CROSS)strip -o $@ $<

$B/coretap.debug: $(OBJ)
	$(call say,LINK,$@)
	$Q$(CC) $(LDFLAGS) -Wl,-Map=$@.map -o $@ $(OBJ) $(LDLIBS)

$(APPLETS:%=$B/%) $(RECIPES:recipes/%.probe=$B/%): | $B/coretap
	$Qln -sf coretap $@

# it is written where it changes
.PHONY: always
$B/version.h: always
	@mkdir -p $(@D)
	@printf '#define CORETAP_VERSION "%s"\n#define CORETAP_DATE "%s"\n' '$(VERSION)' '$(DATE)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$B/src/version.o $B/src/output/rows/trace_json.o $B/src/cli/man.o: $B/version.h

$B/%.o: %.c | $(SKEL)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$Q$(CC) $(ALL_CFLAGS) -c -o $@ $<

# what a compiler for BPF is, and who has it
.PHONY: needed
needed:
	@tools/needed "$(CLANG)" "$(BPFTOOL)"

$B/bpf/%.bpf.o: bpf/%.bpf.c | needed
	@mkdir -p $(@D)
	$(call say,BPF,$<)
	$Q$(CLANG) $(BPF_CFLAGS) -c -o $@ $<

# no program: the BTF of every struct in vmlinux/, each used once so that clang keeps it
$B/bpf/surface.bpf.o: $(wildcard vmlinux/*.h) | needed
	@mkdir -p $(@D)
	$(call say,BPF,$@)
	$Qsed -nE 's/^(struct|union) ([A-Za-z0-9_]+) \{$$/void use_\2(\1 \2 (*p)[1]) {}/p' $^ | \
		$(CLANG) $(filter-out -MMD -MP,$(BPF_CFLAGS)) -include vmlinux.h -x c -c -o $@ -

# gen object drops DWARF and keeps BTF
$B/bpf/%.o: $B/bpf/%.bpf.o
	$Q$(BPFTOOL) gen object $@ $< >/dev/null

# pack-skel compresses all objects after the same one, which is small and resembles the others most, and without the
# lines of their source, which verifier logs would show, and labels
SKEL_PREFIX := $B/bpf/execsnoop.o
$B/bpf/%.skel.h: $B/bpf/%.o $(SKEL_PREFIX) $B/tools/pack-skel
	$(call say,SKEL,$@)
	$Q$(BPFTOOL) gen skeleton $< name $*_bpf >$@.plain
	$Q$B/tools/pack-skel $< $(SKEL_PREFIX) <$@.plain >$@

$B/skel_prefix.c: $(SKEL_PREFIX) $B/tools/pack-skel
	$(call say,PACK,$@)
	$Q$B/tools/pack-skel $< >$@

# the folder's time tells when a recipe was removed
$B/recipes.c: $(RECIPES) $(PARTS) recipes $B/tools/pack-recipes
	$(call say,PACK,$@)
	$Q$B/tools/pack-recipes recipes $(RECIPES) $(PARTS) >$@

# numbers of system calls → their names: a column of the table for each architecture
$B/syscalls.h: src/syscalls/numbers.tbl
	@mkdir -p $(@D)
	$Qawk -v column=$(if $(filter x86,$(ARCH)),2,$(if $(filter powerpc,$(ARCH)),5,4)) '!/^#/ && $$column != "-" \
		{ printf "\t{ %d, \"%s\", 0 },\n", $$column, $$1 }' $< | sort -t'{' -k2 -n >$@

$B/src/output/field/flag_names.o: $B/syscalls.h

# in the order in which src/syscalls/table.c reads them
SYSCALLS ?= src/syscalls
SYSCALL_TABLES := $(addprefix $(SYSCALLS)/,sets.tbl structs.tbl calls.tbl numbers.tbl)
$B/syscall_tables.c: $(SYSCALL_TABLES) $B/tools/pack-recipes tools/check-syscalls $(wildcard src/syscalls/*.[ch])
	$(call say,PACK,$@)
	$Qtools/check-syscalls $(SYSCALLS)
	$Q$B/tools/pack-recipes syscall_tables $(SYSCALL_TABLES) >$@

# what man pages and README show
$B/samples.c: $(wildcard docs/samples/*) docs/samples $B/tools/pack-recipes
	$(call say,PACK,$@)
	$Q$B/tools/pack-recipes -a samples $(wildcard docs/samples/*) >$@

# what people call what the tools show
$B/find_words.c: src/front/find/words.tbl $B/tools/pack-recipes
	$(call say,PACK,$@)
	$Q$B/tools/pack-recipes find_words $< >$@

$B/tutorial.c: docs/tutorial.md $B/tools/pack-recipes
	$(call say,PACK,$@)
	$Q$B/tools/pack-recipes -a tutorial $< >$@

# the page of the live view
$B/view.c: src/run/view.html $B/tools/pack-recipes
	$(call say,PACK,$@)
	$Q$B/tools/pack-recipes -a view $< >$@

$(PACKED): $B/%.o: $B/%.c
	$Q$(CC) $(ALL_CFLAGS) -c -o $@ $<

$B/habits.c: $B/tools/pack-habits
	$(call say,PACK,$@)
	$Q$< >$@

$B/tools/pack-habits: src/cli/habits.def src/cli/habits.h
$B/tools/%: tools/%.c tools/pack.h tools/pack-clear.h
	@mkdir -p $(@D)
	$(call say,TOOL,$@)
	$Q$(HOSTCC) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Isrc -Iinclude -include linux/types.h -o $@ $< -lzstd

-include $(OBJ:.o=.d) $(SKEL:.skel.h=.bpf.d)

# ---- tests ----

UNIT := $B/tests/unit/unit
UNIT_OBJ := $(patsubst %.c,$B/%.o,$(wildcard tests/unit/test_*.c)) $B/tests/unit/main.o
WORK := $(patsubst tests/work/%.c,$B/tests/work/%,$(wildcard tests/work/*.c))
ifneq ($(ARCH),x86)
WORK := $(filter-out %/calls32,$(WORK))
endif

.PHONY: setup-build setup-test setup-cross test check check-live check-load check-other check-arm64 check-riscv64 check-ppc64el kernels check-kernels unit-build work
setup-build:
	@tools/setup build
setup-test:
	@tools/setup test
setup-cross:
	@tools/setup cross || echo "no cross compilers: the tests of other processors are skipped"

test: setup-test setup-cross
	@tests/run

check: all unit-build fuzz-build work
	@tests/run check
check-live: all work
	@tests/run live

check-load: setup-test setup-cross all $B/tests/load/loader
	@tests/run load

check-other: setup-test setup-cross
	@tests/run other
check-arm64: setup-test setup-cross
	@tests/run arm64
check-riscv64: setup-test setup-cross
	@tests/run riscv64
check-ppc64el: setup-test setup-cross
	@tests/run ppc64el

kernels:
	@tools/setup kernel
	@tools/build-kernel
check-kernels: setup-test kernels all work $B/tests/load/loader
	@tests/run kernels

DUMP := $B/tests/golden/dump
# serves the live view to a browser
REPLAY := $B/tests/view/replay
FUZZ := $(patsubst tests/fuzz/%.c,$B/tests/fuzz/%,$(wildcard tests/fuzz/*.c))
# coretap with a check of what it compiles
SILENT := $B/tests/golden/silent
$(SILENT): $(SILENT).o $(OBJ) $(TESTLIB)
	$(call say,LINK,$@)
	$Q$(CC) -fno-lto $(LDFLAGS) -Wl,--wrap=expr_compile -Wl,--wrap=script_compile -o $@ $(SILENT).o $(OBJ) $(TESTLIB) $(LDLIBS)
unit-build: $(UNIT) $(DUMP) $(REPLAY) $(SILENT)
# what tests share; each links what it uses
TESTLIB := $B/tests/lib/testlib.a
TESTLIB_OBJ := $(patsubst %.c,$B/%.o,$(wildcard tests/lib/*.c))
$(TESTLIB): $(TESTLIB_OBJ)
	$Qrm -f $@ && ar rc $@ $^
# all unit tests are one program, and the main of each has its name
$B/tests/unit/test_%.o: ALL_CFLAGS += -Dmain=$(notdir $*)_main
$B/tests/unit/main.o: $B/unit_tests.def
$B/unit_tests.def: $(wildcard tests/unit) $(wildcard tests/unit/test_*.c)
	@mkdir -p $(@D)
	$Qprintf 'TEST(%s)\n' $(patsubst tests/unit/%.c,%,$(sort $(filter %.c,$^))) >$@
$(UNIT): $(UNIT_OBJ)
$B/tests/unit/check_vmlinux $(DUMP) $(REPLAY) $(FUZZ): %: %.o
$(UNIT) $B/tests/unit/check_vmlinux $(DUMP) $(REPLAY) $(FUZZ): $(LIB_OBJ) $(TESTLIB)
	$(call say,LINK,$@)
	$Q$(CC) $(SYSTEM) $(SAN) -no-pie -Wl,--gc-sections -o $@ $(filter-out $(LIB_OBJ) %.a,$^) $(TESTLIB) \
		$(LIB_OBJ) -lcmocka \
		$(if $(CROSS),-Wl$(comma)-Bstatic) $(LDLIBS) $(if $(CROSS),-Wl$(comma)-Bdynamic)
-include $(UNIT_OBJ:.o=.d) $(DUMP).d $(SILENT).d $(REPLAY).d $(FUZZ:%=%.d) $(TESTLIB_OBJ:.o=.d)

# file systems that guests have modules for, but no mkfs; without it here, their tests are left out
MKFS.xfs := mkfs.xfs --unsupported -q -i nrext64=0
MKFS.btrfs := mkfs.btrfs -q --mixed
IMAGES := $(foreach t,xfs btrfs,$(if $(shell PATH=$$PATH:/sbin command -v mkfs.$t),$B/tests/work/$t.gz))
$(IMAGES): $B/tests/work/%.gz: Makefile
	@mkdir -p $(@D)
	$(call say,MKFS,$@)
	$Qrm -f $@.raw && truncate -s 32M $@.raw && PATH=$$PATH:/sbin $(MKFS.$*) $@.raw >/dev/null 2>&1 && \
		gzip -9c $@.raw >$@ && rm $@.raw

# a disk with this machine's own programs; where one is missing, the script says so and makes none
$B/tests/programs.ext2: tests/lib/programs-image
	@mkdir -p $(@D)
	$(call say,IMAGE,$@)
	$Qtests/lib/programs-image $@

# programs that guests run as known workloads: static
WORK_CC = $(CC) $(SYSTEM) -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra
CHAINS := $(addprefix $B/tests/work/,chain chain-pie chain-pie.starts chain-stripped chain-so)
# its lines: in itself, in a file for its build id, in one that it names
LINED := $(addprefix $B/tests/work/,chain-lines chain-id chain-link chain.marks)
# parameters of all kinds; optimized, and with the older debug information as well
KINDS := $(addprefix $B/tests/work/,kinds kinds-pie kinds-old kinds-bare $(if $(CROSS),,kinds-clang))
# variables at lines inside of functions, and what the source tells of them
SCOPES := $(addprefix $B/tests/work/,scopes scopes-pie scopes-old)
# functions of C++; there is no compiler of it for other processors, and without one here, their tests are left out
OBJECTS := $(if $(CROSS),,$(if $(shell command -v $(CXX)),$(addprefix $B/tests/work/,$(foreach of,objects classes,$(of) $(of)-plain $(of)-clang $(of)-clang-plain))))
UNWOUND := $(addprefix $B/tests/work/,unwound unwound-pie unwound-so)
work: $(WORK) $B/tests/work/callers-pie $(CHAINS) $(KINDS) $(SCOPES) $B/tests/work/scopes.marks $(LINED) $(UNWOUND) $(OBJECTS) $(IMAGES) $B/tests/programs.ext2 $B/tests/work/libssl.so.3 $B/tests/work/exprload $B/tests/work/exprdiff $B/tests/work/script_loader $B/tests/load/loader
$B/tests/work/opens $B/tests/work/sessions: tests/work/uring.h
$B/tests/work/bench $B/tests/work/costs: tests/work/bench.h
$B/tests/work/%: tests/work/%.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -static -o $@ $< -lpthread

# whose calls are all calls, and whose types are known
$B/tests/work/shapes: tests/work/shapes.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -static -o $@ $<

$B/tests/work/kinds: HOW := -O0 -g -static
$B/tests/work/kinds-pie: HOW := -O2 -g -fPIE -pie -fdebug-types-section
$B/tests/work/kinds-old: HOW := -O2 -gdwarf-4 -fdebug-types-section -static
$B/tests/work/kinds-bare: HOW := -O2 -g0 -static
$B/tests/work/kinds-clang: HOW := -O2 -g -static -Wno-unknown-attributes
$B/tests/work/kinds-clang: CC := $(CLANG)
$(KINDS): tests/work/kinds.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) $(HOW) -o $@ $<

$(OBJECTS): HOW = $(if $(filter %-plain,$@),-O0,$(if $(filter %-clang,$@),-O1,-O2))
$(filter %-clang %-clang-plain,$(OBJECTS)): CXX := $(CLANG) --driver-mode=g++
$(filter $B/tests/work/objects%,$(OBJECTS)): tests/work/objects.cc
$(filter $B/tests/work/classes%,$(OBJECTS)): tests/work/classes.cc
$(OBJECTS):
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(CXX) -std=c++17 -Wall -Wextra -g -static $(HOW) -o $@ $<

# some calls are inlined
$B/tests/work/copies: tests/work/copies.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -O2 -g -static -o $@ $<

$B/tests/work/scopes: HOW := -O0 -g -static
$B/tests/work/scopes-pie: HOW := -O2 -g -fPIE -pie
$B/tests/work/scopes-old: HOW := -O1 -gdwarf-4 -static
$(SCOPES): tests/work/scopes.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) $(HOW) -o $@ $<
$B/tests/work/scopes.marks: tests/work/scopes.c
	@mkdir -p $(@D)
	$Qawk '/ AT: / && !/NAME=/ { line = FNR; sub(/.* AT: /, ""); sub(/ [*]\/.*/, ""); print line "\t" $$0 }' $< >$@

# with a C library of its own file
$B/tests/work/callers-pie: tests/work/callers.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -fomit-frame-pointer -o $@ $< -lpthread

# a program of 32 bits, without a C library
$B/tests/work/calls32: tests/work/calls32.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(CC) $(SYSTEM) -std=gnu11 -m32 -O2 -Wall -Wextra -ffreestanding -fno-stack-protector -fno-pic -no-pie \
		-nostdlib -static -o $@ $<

# BPF programs that are traced, and what loads them
$B/tests/work/verdicts.o: tests/work/bpf/verdicts.bpf.c | needed
	@mkdir -p $(@D)
	$(call say,BPF,$@)
	$Q$(CLANG) -g -O2 -target bpf -mcpu=v3 -Wall -Werror -I$(SYSROOT)/usr/include/$(TRIPLET) -c -o $@ $<
$B/tests/work/verdicts: tests/work/verdicts.c $B/tests/work/verdicts.o
	$(call say,WORK,$@)
	$Q$(WORK_CC) -static -o $@ $< -lbpf -lelf -lz -lzstd

# what recipes look at in libraries, and a library with names of OpenSSL's
$B/tests/work/dynamic $B/tests/work/mutexes $B/tests/work/allocates $B/tests/work/owns $B/tests/work/throng: $B/tests/work/%: tests/work/%.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -fno-omit-frame-pointer -o $@ $< -lpthread -ldl
$B/tests/work/libssl.so.3: tests/work/dynamic.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -DLIBRARY -fPIC -shared -o $@ $<

# the chain of calls in each kind of program that stacks are read from
$B/tests/work/chain: HOW := -static
$B/tests/work/chain-pie: HOW := -fPIE -pie
$B/tests/work/chain-stripped: HOW := -fPIE -pie -s
$B/tests/work/chain-so: HOW := -fPIE -pie -DCHAIN_MAIN -Wl,-rpath,'$$ORIGIN'
$B/tests/work/libchain.so: HOW := -fPIC -shared -Wl,-soname,libchain.so -DCHAIN_LIBRARY
$B/tests/work/chain-so: $B/tests/work/libchain.so
# where its functions begin, by another reader of symbols
$B/tests/work/chain-pie.starts: $B/tests/work/chain-pie
	$Qfor f in chain_read inner middle outer main; do nm $< | sed -n "s/ [Tt] $$f\$$//p"; done >$@
$(filter-out %.starts,$(CHAINS)) $B/tests/work/libchain.so: tests/work/chain.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -fno-omit-frame-pointer $(HOW) -o $@ $^

$B/tests/work/chain-lines: tests/work/chain.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -fno-omit-frame-pointer -static -g -Wl,--build-id -o $@ $<
$B/tests/work/chain-id: $B/tests/work/chain-lines
	$Q$(CROSS)objcopy --only-keep-debug $< $@.debug && $(CROSS)objcopy --strip-debug $< $@
	$Qreadelf -n $< | sed -n 's/.*Build ID: //p' >$@.name
$B/tests/work/chain-link: $B/tests/work/chain-lines
	$Q$(CROSS)objcopy --only-keep-debug $< $@.debug
	$Q$(CROSS)objcopy --strip-debug --remove-section .note.gnu.build-id --add-gnu-debuglink $@.debug $< $@
# LINE FUNCTION, by another reader of the source
$B/tests/work/chain.marks: tests/work/chain.c
	@mkdir -p $(@D)
	$Qgrep -nE '/\* AT [a-z_]+ \*/' $< | sed -E 's/^([0-9]+):.*AT ([a-z_]+) .*/\1 \2/' >$@

# the same without frame pointers, whose callers only the unwind tables tell
$B/tests/work/unwound: HOW := -static
$B/tests/work/unwound-pie: HOW := -fPIE -pie
$B/tests/work/unwound-so: HOW := -fPIE -pie -DUNWOUND_MAIN -Wl,-rpath,'$$ORIGIN'
$B/tests/work/libunwound.so: HOW := -fPIC -shared -Wl,-soname,libunwound.so -DUNWOUND_LIBRARY
$B/tests/work/unwound-so: $B/tests/work/libunwound.so
$(UNWOUND) $B/tests/work/libunwound.so: tests/work/unwound.c
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(WORK_CC) -fomit-frame-pointer $(HOW) -o $@ $^

# what argdump's compiler makes, asked of a real verifier, and its values of the kernel's own events
EXPRLOAD := $(patsubst %.c,$B/%.o,$(wildcard tests/live/exprload*.c))
$B/tests/work/exprload: $(EXPRLOAD)
$B/tests/work/exprload $B/tests/work/exprdiff: $B/tests/work/%: $B/tests/live/%.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
-include $(EXPRLOAD:.o=.d) $B/tests/live/exprdiff.d

# loads many command lines with one start, in guests of tests/load/run
$B/tests/load/loader: $B/tests/load/loader.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(CC) -fno-lto $(LDFLAGS) -o $@ $^ $(LDLIBS)
-include $B/tests/load/loader.d

# programs in bpftrace's language before a real verifier
SCRIPT_LOADER := $(patsubst %.c,$B/%.o,$(wildcard tests/load/script_*.c))
$B/tests/work/script_loader: $(SCRIPT_LOADER) $(LIB_OBJ) $(TESTLIB)
	@mkdir -p $(@D)
	$(call say,WORK,$@)
	$Q$(CC) -fno-lto $(LDFLAGS) -o $@ $(SCRIPT_LOADER) $(LIB_OBJ) $(TESTLIB) $(LDLIBS)
-include $(SCRIPT_LOADER:.o=.d)

# ---- the rest ----

.PHONY: demo bench bench-bt bench-peers judge-bpftrace judge-language judge-tools judge-originals judge-strace judge-peers judge-kernel-lines soak asan fuzz fuzz-build format docs clean help
demo: setup-build
	@tools/demo

bench: setup-test all work
	@tools/bench
# programs of tools/bench-bt.rows through bt and bpftrace
bench-bt: setup-test all work
	@tools/bench-bt
# tools of tools/bench-peers.rows, and their peers
bench-peers: setup-test all work
	@tools/bench-peers
# bpftrace's own tests through bt, in guests
judge-bpftrace: setup-test all
	@tests/judges/bpftrace
# programs of our own in bpftrace's language, judged by bpftrace
judge-language: setup-test all work
	@tests/judges/language
# tools of libbpf-tools, bcc and bpftrace, and ours, at the same time
judge-originals: setup-test all work
	@tests/judges/originals
# bpftrace's own tools by bpftrace and by bt
judge-tools: setup-test all work
	@tests/judges/bpftrace_tools
# strace's own tests through syssnoop, in a guest
judge-strace: setup-test all
	@tests/judges/strace
# command lines of bcc, perf-tools and perf probe, as typed
judge-peers: setup-test all
	@tests/judges/peers
# lines of a kernel's source, judged by gdb, with the debug information of its package
judge-kernel-lines: setup-test all work
	@tests/judges/kernel_lines
soak: setup-test all work
	@tests/soak/run

SANITIZED := $(MAKE) --no-print-directory B=$B/asan \
	SAN='-fsanitize=address,undefined -fno-sanitize-recover'
asan:
	+$Q$(SANITIZED) all unit-build
	@tests/run asan

fuzz-build: $(FUZZ)
# FUZZ_INPUTS inputs in all, of seed SEED
SEED ?=
fuzz:
	+$Q$(SANITIZED) fuzz-build
	tests/fuzz/run $B/asan/tests/fuzz $(or $(FUZZ_INPUTS),100000) $(SEED)

format:
	clang-format -i $$(git ls-files '*.c' '*.h' ':!vmlinux')

docs: $B/coretap
	@BUILD=$B tools/docs
	@BUILD=$B tools/pages

clean:
	rm -rf $B

help:
	@sed -n 's/^# \(make \)/\1/p' Makefile deploy/packages.mk

include deploy/packages.mk
