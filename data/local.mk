# data: what is installed and is not code.
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/profrun.pc %D%/profrun-compat.pc

# Headers by the names that other systems have for them.
prfcompatdir = $(includedir)/profrun-compat
dist_prfcompat_HEADERS = \
	%D%/compat/dialect_choice.h %D%/compat/pcsample.h \
	%D%/compat/sysconf_profil_max.h %D%/compat/unistd.h \
	%D%/compat/unistd_profil.h
prfcompatsysdir = $(prfcompatdir)/sys
dist_prfcompatsys_HEADERS = %D%/compat/sys/profil.h

# Completion of the command line: where the shells look below a prefix.  The
# files are made from the program's tables of options; who compiles for another
# machine, and so cannot run what is built, has those of the tarball.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/bash/profrun
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = %D%/zsh/_profrun
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = %D%/fish/profrun.fish

prf_completions = %D%/bash/profrun %D%/zsh/_profrun %D%/fish/profrun.fish
EXTRA_DIST += %D%/completions.awk %D%/bash/profrun.in %D%/zsh/_profrun.in \
	%D%/fish/profrun.fish.in
if CROSS_COMPILING
$(prf_completions):
	@echo '$@: not made when compiling for another machine' >&2
	@$(MKDIR_P) $(@D) && echo '# There are no completions.' >$@
else
CLEANFILES += %D%/options.table
%D%/options.table: src/list_options$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D% && src/list_options$(EXEEXT) >$@.new && mv $@.new $@

prf_complete = $(MKDIR_P) $(@D) && $(AWK) -f $(srcdir)/%D%/completions.awk
prf_complete_from = %D%/options.table %D%/completions.awk
%D%/bash/profrun: %D%/bash/profrun.in $(prf_complete_from)
	$(AM_V_GEN)$(prf_complete) -v shell=bash %D%/options.table \
		$(srcdir)/%D%/bash/profrun.in >$@.new && mv $@.new $@
%D%/zsh/_profrun: %D%/zsh/_profrun.in $(prf_complete_from)
	$(AM_V_GEN)$(prf_complete) -v shell=zsh %D%/options.table \
		$(srcdir)/%D%/zsh/_profrun.in >$@.new && mv $@.new $@
%D%/fish/profrun.fish: %D%/fish/profrun.fish.in $(prf_complete_from)
	$(AM_V_GEN)$(prf_complete) -v shell=fish %D%/options.table \
		$(srcdir)/%D%/fish/profrun.fish.in >$@.new && mv $@.new $@
endif

# Those of a tarball that is built where it lies stay.
distclean-local:
	test '$(srcdir)' = . || rm -f $(prf_completions)

# A first profile, of a real program, without installing anything.
EXTRA_DIST += %D%/demo.sh
demo: all
	@PROFRUN='$(abs_top_builddir)/src/profrun' CC='$(CC)' \
		$(SHELL) $(srcdir)/%D%/demo.sh
.PHONY: demo

# What JSON has in it: a schema for each format, which its "version" counts.
schemadir = $(pkgdatadir)
dist_schema_DATA = \
	%D%/schema/annotate.schema.json \
	%D%/schema/diff.schema.json \
	%D%/schema/dump.schema.json \
	%D%/schema/profile.schema.json \
	%D%/schema/report.schema.json \
	%D%/schema/samples.schema.json

# What file(1) needs to know a trace: cat it to ~/.magic, or file -m.
magicdir = $(pkgdatadir)
dist_magic_DATA = %D%/pctrace.magic
